import type { Picture } from './report-data.ts';

/** A file that a page shows; `file` is relative to the manifest's folder. */
export interface PictureSource {
  readonly sha256: string;
  readonly file: string;
  readonly contentType: string;
}

/** Collects what a page shows. A content that occurs several times is one picture, found at the first of its places. */
export function collectPictures(pathOf: (file: string) => string | null) {
  const places = new Map<string, number>();
  const pictures: Picture[] = [];
  const sources: PictureSource[] = [];
  return {
    pictures,
    sources,
    /** The place of a picture in the list. */
    add({ sha256, file, contentType }: PictureSource): number {
      const known = places.get(sha256);
      if (known !== undefined) return known;
      places.set(sha256, pictures.length);
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
      sources.push({ sha256, file, contentType });
      return pictures.length - 1;
    },
  };
}

export type Pictures = ReturnType<typeof collectPictures>;

function kindOf(contentType: string): Picture['kind'] {
  if (contentType.startsWith('video/')) return 'video';
  return contentType.startsWith('image/') ? 'image' : 'other';
}
