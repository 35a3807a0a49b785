import type { Picture } from './report-data.ts';

/** A file that a page shows; `file` is relative to the manifest's folder. */
export interface PictureSource {
  readonly sha256: string;
  readonly file: string;
  readonly contentType: string;
  /** What campaign has made, or what the manifest gives it. */
  readonly from: 'output' | 'photo';
}

/** Collects what a page shows. A file that occurs several times is one picture: products may share a photo. */
export function collectPictures(pathOf: (file: string) => string | null) {
  const places = new Map<string, number>();
  const pictures: Picture[] = [];
  const sources: PictureSource[] = [];
  return {
    pictures,
    sources,
    /** The place of a picture in the list. */
    add(source: PictureSource): number {
      const { sha256, file, contentType } = source;
      const known = places.get(file);
      if (known !== undefined) return known;
      places.set(file, pictures.length);
      const kind = kindOf(contentType);
      pictures.push({
        sha256,
        width: 0,
        height: 0,
        path: pathOf(file),
        thumbnail: null,
        kind,
        problem: null,
      });
      sources.push(source);
      return pictures.length - 1;
    },
  };
}

export type Pictures = ReturnType<typeof collectPictures>;

function kindOf(contentType: string): Picture['kind'] {
  if (contentType.startsWith('video/')) return 'video';
  return contentType.startsWith('image/') ? 'image' : 'other';
}
