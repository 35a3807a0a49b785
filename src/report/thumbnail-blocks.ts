/** A small picture as WebP. */
export interface Small {
  readonly bytes: number;
  readonly read: () => Buffer;
}

/** As `page/file-source.ts` reads them. */
const PER_BLOCK = 100;

/**
 * Small pictures as text that no browser decodes before it is asked to: one element for each hundred, in the order of the pictures,
 * with commas between them and a full stop at the end, which says that all of it has been read.
 */
export function* thumbnailBlocks(
  kind: 'block' | 'preview',
  pictures: readonly (Small | undefined)[],
): Generator<string> {
  for (let at = 0; at < pictures.length; at += PER_BLOCK) {
    const part = pictures.slice(at, at + PER_BLOCK);
    if (!part.some(Boolean)) continue;
    const texts = part.map((picture) => picture?.read().toString('base64') ?? '');
    yield `<script type="text/plain" data-${kind}="${at / PER_BLOCK}">${texts.join(',')}.</script>\n`;
  }
}
