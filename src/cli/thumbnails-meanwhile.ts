/**
 * Makes the thumbnails of a later report while a run waits for the service: one at a time, with pauses so long that a core is busy
 * with them for a twentieth of the time at most. What is left at the end is left to the report.
 */
import { resolve } from 'node:path';
import type { Campaign } from '../app/campaign.ts';
import type { AppEvent } from '../app/runtime.ts';
import type { ThumbnailCache } from '../files/thumbnail-cache.ts';

/** A run that is over sooner makes none. */
const FIRST_MS = 10_000;
const PAUSE_FACTOR = 19;
/** More would not be made before the run ends. */
const MOST_WAITING = 5_000;
interface Of extends Pick<Campaign, 'workFolder'> {
  readonly manifest: Pick<Campaign['manifest'], 'folder'>;
}

const PICTURE = /\.(?:jpg|png|webp|gif|avif|tif)$/;

export function thumbnailsMeanwhile(
  { manifest, workFolder }: Of,
  { firstMs = FIRST_MS }: { readonly firstMs?: number } = {},
) {
  const waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let making: Promise<void> | undefined;
  let cache: Promise<ThumbnailCache> | undefined;
  let isClosed = false;

  function later(ms: number): void {
    if (isClosed || !waiting.length) return;
    timer = setTimeout(() => {
      timer = undefined;
      making = makeNext();
    }, ms).unref();
  }

  async function makeNext(): Promise<void> {
    const started = performance.now();
    try {
      await makeOne(waiting.shift() ?? '');
    } catch {
      // The report makes what could not be made here, or says why not.
    }
    making = undefined;
    later((performance.now() - started) * PAUSE_FACTOR);
  }

  async function makeOne(file: string): Promise<void> {
    const { openThumbnails } = await import('../files/thumbnail-cache.ts');
    const { readPicture, sha256Of, whyNoFile } = await import('../files/read-picture.ts');
    const { shrinkPicture } = await import('../files/shrink-picture.ts');
    const path = resolve(manifest.folder, file);
    if (whyNoFile(path) !== undefined) return;
    const content = await readPicture(path);
    if (typeof content === 'string') return;
    const sha256 = sha256Of(content);
    const { find, keep } = await (cache ??= openThumbnails(workFolder));
    if (find(sha256, 'thumbnail')) return;
    const small = await shrinkPicture(content, 'thumbnail');
    if (small) await keep(sha256, 'thumbnail', small);
  }

  return {
    follow(event: AppEvent): void {
      if (event.type !== 'node-finished') return;
      for (const file of event.files ?? [])
        if (PICTURE.test(file) && waiting.length < MOST_WAITING) waiting.push(file);
      if (!timer && !making) later(firstMs);
    },
    /** Resolves once nothing is written any more. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await making;
    },
  };
}
