import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Address, mediaAddress, takeAddress } from '../model/address.ts';
import { fileNames } from '../model/output-path.ts';
import type { DownloadPayload, OutputFile } from '../model/payload.ts';
import type { Problem } from '../model/problem.ts';
import type { DownloadResult, MediaResult } from '../model/result.ts';
import type { Job, Outcome, Step } from '../model/step.ts';
import { readMediaStatus } from '../service/read-media-status.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import type { DownloadedFile } from '../service/save-body.ts';
import type { ServiceError } from '../service/service-error.ts';
import { makeFolder, syncFolder } from '../util/atomic-file.ts';
import { fullJitter } from '../util/backoff.ts';
import { isJsonObject } from '../util/json.ts';
import { extensionOf } from '../util/media-type.ts';
import { ok, err, type Result } from '../util/result.ts';
import { checkMedia, type CheckedMedia } from './check-media.ts';
import { repeatableFailed, retry } from './classify-error.ts';
import { findMedia, PROBE_WAIT_MS } from './find-media.ts';
import { renameOlder, setAside } from './rename-older.ts';
import { requestResult } from './results.ts';
import type { StepIo } from './step-io.ts';

/** Times that a file is fetched which turns out to be no picture and no video, or a broken one. */
const SPOILED_TRIES = 3;
const SPOILED_BASE_MS = 1_000;
const SPOILED_CAP_MS = 20_000;
const MADE_AGAIN_POLL_MS = 5_000;

/**
 * Fetches the files of a finished post: into `.part` files beside their place, synced and looked through, then renamed
 * all together. Links expire and are not stored, so any attempt but the first one right after the generation asks the
 * service for fresh ones.
 */
export function downloadStep(io: StepIo): Step {
  return {
    onInterrupted: 'repeat',
    async run(job, signal) {
      if (job.node.kind !== 'download') throw new Error(`not a download: ${job.node.address}`);
      const { payload, action } = job.node;
      const links = action === 'resume' || job.attempt > 1 ? undefined : io.links.of(mediumOf(payload));
      const media = links
        ? ok({ id: mediaResult(payload, job).id, urls: links })
        : await refreshed(payload, { job, io, signal });
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
  const paths = urls.map((_, index) => partPath(attempt.io, payload, index));
  const parts: Part[] = [];
  try {
    for (const [index, path] of paths.entries()) {
      const part = await fetchPart(urls[index] ?? '', path, attempt);
      if (!part.ok) return part.error;
      parts.push(part.value);
    }
    const { files, renamed } = await settle(parts, payload, attempt.io);
    return { type: 'done', result: { media: id, files, ...(renamed.length ? { renamed } : {}) } };
  } finally {
    // Those that have no name of their own by now: the next attempt fetches all of them again.
    for (const path of paths) await rm(path, { force: true });
  }
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

function mediumOf({ post, item, take }: DownloadPayload): Address {
  return takeAddress(mediaAddress(post, item), take);
}

function mediaResult(payload: DownloadPayload, job: Job): MediaResult {
  const address = mediumOf(payload);
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
      if (readMediaStatus(found.media.status, io.statuses) === 'pending') return err(madeAgain(attempt));
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

/** It was finished and goes back to running: its files come when it is finished again. */
function madeAgain({ job, io }: Attempt): Outcome {
  const problem = {
    summary: 'The finished post is being made again',
    detail: 'Its files are not there yet.',
  };
  if (job.runningMs >= io.mediaTimeoutMs) return { type: 'put-off', problem };
  return { type: 'wait', why: 'poll', until: io.clock.monotonic() + MADE_AGAIN_POLL_MS, problem };
}

/** Beside the final place, so that the rename stays on one file system; hidden, so that nobody takes it for a result. */
function partPath(io: StepIo, payload: DownloadPayload, index: number): string {
  const path = join(io.folder, payload.path);
  return join(dirname(path), `.${basename(path)}-${payload.take}-${index + 1}.part`);
}

async function fetchPart(url: string, path: string, attempt: Attempt): Promise<Result<Part, Outcome>> {
  const { job, io, signal } = attempt;
  await makeFolder(dirname(path));
  const answer = await io.client.download({ url, path }, { signal });
  if (!answer.ok) return err(linkFailed(answer.error, job, io));
  const checked = await checkMedia(path);
  const { bytes, sha256 } = answer.value;
  const { contentType } = checked;
  if (contentType === undefined || checked.problem !== undefined)
    return err(spoiled(spoiledProblem(answer.value, checked), job, io));
  return ok({ path, file: { sha256, bytes, contentType } });
}

/** What earlier attempts of this run met. */
interface Memo {
  /** A link was refused: links expire, so a fresh one may be taken. */
  readonly refused: boolean;
  /** Files that were no good. */
  readonly spoiled: number;
}

function readMemo({ memo }: Job): Memo {
  if (!isJsonObject(memo)) return { refused: false, spoiled: 0 };
  return { refused: memo['refused'] === true, spoiled: Number(memo['spoiled']) };
}

function linkFailed(error: ServiceError, job: Job, io: StepIo): Outcome {
  const memo = readMemo(job);
  const isExpired = error.kind === 'refused' && error.status !== undefined && !memo.refused;
  if (!isExpired) return repeatableFailed(error, job, io);
  return retry(error, { ...job, memo: { ...memo, refused: true } }, io);
}

/** Cut where it was made, or a page in its place: fetched again some times under a fresh link. */
function spoiled(problem: Problem, job: Job, { clock, random }: StepIo): Outcome {
  const memo = readMemo(job);
  const tries = memo.spoiled + 1;
  if (tries >= SPOILED_TRIES) return { type: 'failed', problem };
  const wait = fullJitter({ attempt: tries, baseMs: SPOILED_BASE_MS, capMs: SPOILED_CAP_MS, random });
  const until = clock.monotonic() + wait;
  const next = { ...memo, spoiled: tries };
  return { type: 'wait', why: 'retry', until, problem, memo: next, answered: true };
}

function spoiledProblem(file: DownloadedFile, { contentType, problem = '' }: CheckedMedia): Problem {
  const size = `${file.bytes.toLocaleString('en')} bytes`;
  if (contentType !== undefined)
    return { summary: 'The file cannot be decoded', detail: `${contentType}, ${size}: ${problem}.` };
  const declared = file.contentType ?? 'of no declared type';
  return {
    summary: 'The file is no picture and no video',
    detail: `What came under its link is ${declared}, ${size}: ${problem}.`,
  };
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
  await syncFolder(dirname(join(io.folder, payload.path)));
  return { files, renamed };
}
