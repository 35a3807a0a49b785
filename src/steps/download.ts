import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { mediaAddress, takeAddress } from '../model/address.ts';
import { fileNames } from '../model/output-path.ts';
import type { DownloadPayload, OutputFile } from '../model/payload.ts';
import type { DownloadResult, MediaResult } from '../model/result.ts';
import type { Job, Outcome, Step } from '../model/step.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import { ok, err, type Result } from '../util/result.ts';
import { extensionOf, MEDIA_TYPE_BYTES, mediaTypeOf } from '../util/media-type.ts';
import { repeatableFailed, retry } from './classify-error.ts';
import { findMedia, PROBE_WAIT_MS } from './find-media.ts';
import { renameOlder, setAside } from './rename-older.ts';
import { requestResult } from './results.ts';
import type { StepIo } from './step-io.ts';

/**
 * Fetches the files of a finished post: into `.part` files beside their place, checked, then renamed all together.
 * Links expire, so any attempt but the first one right after the generation asks the service for fresh ones.
 */
export function downloadStep(io: StepIo): Step {
  return {
    onInterrupted: 'repeat',
    async run(job, signal) {
      if (job.node.kind !== 'download') throw new Error(`not a download: ${job.node.address}`);
      const { payload, action } = job.node;
      const fresh = action === 'resume' || job.attempt > 1;
      const media = fresh ? await refreshed(payload, { job, io, signal }) : ok(mediaResult(payload, job));
      if (!media.ok) return media.error;
      const { id, urls } = media.value;
      if (!urls.length) return { type: 'failed', problem: NO_FILES };
      try {
        return await fetchAll({ id, urls }, payload, { job, io, signal });
      } catch (error) {
        return diskFailure(error);
      }
    },
  };
}

async function fetchAll(
  { id, urls }: MediaResult,
  payload: DownloadPayload,
  attempt: Attempt,
): Promise<Outcome> {
  const parts: Part[] = [];
  for (const [index, url] of urls.entries()) {
    const part = await fetchPart(url, partPath(attempt.io, payload, index), attempt);
    if (!part.ok) {
      // The next attempt fetches all of it again.
      for (const done of urls.keys()) await rm(partPath(attempt.io, payload, done), { force: true });
      return part.error;
    }
    parts.push(part.value);
  }
  const { files, renamed } = await settle(parts, payload, attempt.io);
  return { type: 'done', result: { media: id, files, ...(renamed.length ? { renamed } : {}) } };
}

/** A full disk or a folder without permission is the user's to mend; anything without a code is a bug. */
function diskFailure(error: unknown): Outcome {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === undefined) throw error;
  const detail = error instanceof Error ? error.message : code;
  return { type: 'failed', problem: { summary: 'The output cannot be written', detail, cause: 'disk' } };
}

const NO_FILES = {
  summary: 'The finished post names no file',
  detail: 'Its media_info holds no http(s) URL; service.media_urls can say where they stand.',
};

interface Attempt {
  readonly job: Job;
  readonly io: StepIo;
  readonly signal: AbortSignal;
}

interface Part {
  readonly path: string;
  readonly file: Omit<OutputFile, 'path'>;
}

interface Saved {
  readonly files: readonly OutputFile[];
  readonly renamed: NonNullable<DownloadResult['renamed']>;
}

function mediaResult({ post, item, take }: DownloadPayload, job: Job): MediaResult {
  const address = takeAddress(mediaAddress(post, item), take);
  const result = job.results.get(address);
  if (!result || !('urls' in result)) throw new Error(`${job.node.address}: no result of ${address}`);
  return result;
}

async function refreshed(payload: DownloadPayload, attempt: Attempt): Promise<Result<MediaResult, Outcome>> {
  const { job, io, signal } = attempt;
  const known = mediaResult(payload, job);
  const request = requestResult(payload.request, job);
  const found = await findMedia(request, request.items[payload.requestedAs] ?? {}, { io, signal });
  switch (found.type) {
    case 'found':
      return ok({ id: known.id, urls: readMediaUrls(found.media.media_info, io.mediaUrls) });
    case 'error':
      return err(repeatableFailed(found.error, job, io));
    case 'busy':
      return err({ type: 'wait', why: 'poll', until: io.clock.monotonic() + PROBE_WAIT_MS, unsent: true });
    case 'absent':
      return err({
        type: 'failed',
        problem: { summary: 'The post is gone', detail: 'It was finished, and now the service says 404.' },
      });
  }
}

/** Beside the final place, so that the rename stays on one file system; hidden, so that nobody takes it for a result. */
function partPath(io: StepIo, payload: DownloadPayload, index: number): string {
  const path = join(io.folder, payload.path);
  return join(dirname(path), `.${basename(path)}-${payload.take}-${index + 1}.part`);
}

async function fetchPart(url: string, path: string, attempt: Attempt): Promise<Result<Part, Outcome>> {
  const { job, io, signal } = attempt;
  await mkdir(dirname(path), { recursive: true });
  const answer = await io.client.download({ url, path }, { signal });
  if (!answer.ok) {
    const expired = answer.error.kind === 'refused' && job.attempt === 1;
    return err(expired ? retry(answer.error, job, io) : repeatableFailed(answer.error, job, io));
  }
  const contentType = mediaTypeOf(await headOf(path));
  if (contentType === undefined) return err({ type: 'failed', problem: notMedia(answer.value.contentType) });
  const { bytes, sha256 } = answer.value;
  return ok({ path, file: { sha256, bytes, contentType } });
}

function notMedia(contentType: string | undefined) {
  return {
    summary: 'The file is no picture and no video',
    detail: `What came under its link is ${contentType ?? 'of no declared type'} and has no content that is known.`,
  };
}

async function headOf(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MEDIA_TYPE_BYTES), 0, MEDIA_TYPE_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Older takes step aside, then every part takes its name. */
async function settle(parts: readonly Part[], payload: DownloadPayload, io: StepIo): Promise<Saved> {
  const contents = new Set(parts.map(({ file }) => file.sha256));
  const renamed = await renameOlder(io.folder, payload, contents);
  const unnamed = parts.map(({ file }) => ({ ...file, path: extensionOf(file.contentType) }));
  const names = fileNames(payload.path, unnamed);
  const files: OutputFile[] = [];
  for (const [index, part] of parts.entries()) {
    const path = names[index] ?? payload.path;
    // A person's own work may stand there, or a post that the manifest no longer names: nothing is overwritten.
    await setAside(join(io.folder, path), part.file.sha256);
    await rename(part.path, join(io.folder, path));
    files.push({ path, ...part.file });
  }
  const folder = await open(dirname(join(io.folder, payload.path)), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return { files, renamed };
}
