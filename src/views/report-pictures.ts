import type { Picture } from './report-data.ts';

/** A file that a page shows; `file` is relative to the manifest's folder. */
export type PictureSource = PhotoSource | OutputSource;

interface FileSource {
  readonly sha256: string;
  readonly file: string;
  readonly contentType: string;
}

/** What the manifest gives it. */
interface PhotoSource extends FileSource {
  readonly from: 'photo';
}

/** What campaign has made, as recorded. */
interface OutputSource extends FileSource {
  readonly from: 'output';
  readonly bytes: number;
  /** ISO 8601. */
  readonly written: string;
}

/**
 * Collects what a page shows, in all its versions: pictures keep their numbers, because a page that is open knows them. A file
 * that occurs several times is one picture: products may share a photo.
 */
export function collectPictures(pathOf: (file: string) => string | null) {
  const places = new Map<string, number>();
  const pictures: Picture[] = [];
  const sources: PictureSource[] = [];
  /** The place of a picture in the list. */
  const add = (source: PictureSource): number => {
    const { sha256, file, contentType } = source;
    const key = `${sha256} ${file}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, pictures.length);
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
  };
  return { pictures, sources, add };
}

export type Pictures = ReturnType<typeof collectPictures>;

function kindOf(contentType: string): Picture['kind'] {
  if (contentType.startsWith('video/')) return 'video';
  return contentType.startsWith('image/') ? 'image' : 'other';
}
