/** Photos that `validate` would refuse, found before a manifest names them. */
import { createPhotoExaminer } from '../files/examine-photo.ts';
import { hashImages } from '../files/hash-images.ts';
import type { ImageProblem } from '../files/read-image.ts';
import type { Runtime } from './runtime.ts';

export async function refusedPhotos(
  { clock, disk, emit }: Pick<Runtime, 'clock' | 'disk' | 'emit'>,
  photos: {
    /** Absolute; files are relative to it. */
    readonly folder: string;
    readonly files: readonly string[];
    readonly mostBytes?: number | undefined;
  },
): Promise<readonly ImageProblem[]> {
  const started = clock.monotonic();
  const hashed = await hashImages({
    ...photos,
    disk,
    cacheFile: undefined,
    examine: createPhotoExaminer(),
    onProgress: (done, total) =>
      emit({ type: 'reading', what: 'reading photos', done, total, ms: clock.monotonic() - started }),
  });
  return hashed.ok ? [] : hashed.error;
}

/** As words that follow "is left out:". */
export function whyRefused({ file, summary, detail = summary }: ImageProblem): string {
  return detail.replace(`"${file}"`, 'it').replace(/\.$/, '');
}
