import { MOST_PIXELS, sizeOfPicture, theSharp } from './decode-picture.ts';

/** How a picture is made small: the longer edge in pixels, and how WebP is written. More effort takes ten times as long for a tenth of the bytes. */
export const SHRUNK = {
  thumbnail: { edge: 256, quality: 70, effort: 2 },
  preview: { edge: 1280, quality: 75, effort: 0 },
} as const;

export type ShrunkAs = keyof typeof SHRUNK;

/** `width` and `height` are those of the picture itself, as it is to be looked at. */
export interface ShrunkPicture {
  readonly webp: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Of an animation the first frame. Undefined where it cannot be decoded, or only with more memory than that is worth. */
export async function shrinkPicture(content: Buffer, as: ShrunkAs): Promise<ShrunkPicture | undefined> {
  const size = await sizeOfPicture(content);
  if (!size?.isDecodable) return undefined;
  const { edge, ...webp } = SHRUNK[as];
  try {
    const small = await theSharp()(content, { limitInputPixels: MOST_PIXELS, sequentialRead: true })
      .autoOrient()
      .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
      .webp(webp)
      .toBuffer();
    return { webp: small, width: size.width, height: size.height };
  } catch {
    return undefined;
  }
}
