import { basename, dirname, join } from 'node:path';
import type { Part } from '../files/name-files.ts';
import { keepWhole } from '../files/partial-file.ts';
import type { Facts, Failed } from '../model/facts.ts';
import { fileNames } from '../model/output-path.ts';
import type { DownloadPayload } from '../model/payload.ts';
import type { Problem } from '../model/problem.ts';
import type { Job } from '../model/step.ts';
import { isRefused, type ServiceError } from '../service/service-error.ts';
import type { DownloadRoom } from '../storage/run-files.ts';
import { removePlainFile } from '../util/new-file.ts';
import { fetchFile, keepSpoiled, KEPT, type Place, withSentence } from './fetch-file.ts';
import { requestFailed } from './request-facts.ts';
import { linksOf, type ResultLinks } from './result-links.ts';
import { type StepContext, stepOf } from './step-io.ts';

/** So many attempts of a run may end with a file that is cut, and as many with one that nothing can verify. */
const DOUBTFUL_TRIES = 2;
/** What is not there whole yet may be a moment later. */
const DOUBTFUL_MS = 1_000;

/** Files go into `.part` files, and get their places together once all were examined. */
export const downloadStep = stepOf('download', async ({ payload }, context) => {
  const room = context.io.files.room(payload.path);
  return namingKept(await download(payload, { ...context, room }), room, context.job);
});

interface DownloadContext extends StepContext {
  readonly room: DownloadRoom;
}

async function download(payload: DownloadPayload, context: DownloadContext): Promise<Facts> {
  const media = await linksOf(payload, context);
  if (!media.ok) return media.error;
  if (!media.value.urls.length) return noResult(NO_FILES);
  try {
    return await fetchAll(media.value, payload, context);
  } catch (error) {
    return diskFailure(error);
  }
}

async function fetchAll(
  { id, urls, named }: ResultLinks,
  payload: DownloadPayload,
  context: DownloadContext,
): Promise<Facts> {
  const { io, signal, answered, room } = context;
  const partials = partialNames(Math.max(urls.length, named), room.shown);
  const places = placesOf(urls, { room, take: payload.take, partials });
  const parts: Part[] = [];
  let unverified: Problem | undefined;
  let areNamed = false;
  await io.files.makeRoom(payload.path);
  try {
    for (const place of places) {
      const received = place === places.at(-1) ? answered : undefined;
      const fetched = await fetchFile(io.client, place, { signal, received });
      if (fetched.type === 'failed') return linkFailed(fetched.error, context);
      if (fetched.type === 'spoiled') {
        const { problem } = fetched;
        const next = again('spoiled', fetched, context);
        if (next) return next;
        return signal.aborted
          ? { came: 'aborted', sent: 'yes', problem }
          : noResult(await keepSpoiled(place, problem));
      }
      // The other files are fetched all the same, so that each of them is known in the next attempt.
      if (fetched.type === 'unverified') unverified ??= fetched.problem;
      else parts.push({ part: place.part, file: fetched.file });
    }
    const kept = allOf(partials.slice(0, urls.length));
    if (unverified) {
      const sentence = `A second fetch gave other bytes. What came last ${KEPT} ${kept}.`;
      const next = again('unverified', { problem: unverified }, context);
      return next ?? noResult(withSentence(unverified, sentence));
    }
    // A file that the post no longer names was paid for: the download is not done before all files are there.
    if (urls.length < named) {
      for (const { part, partial } of places) await keepWhole(part, partial);
      const detail = `It named ${named} when it was finished, and ${urls.length} now. What came ${KEPT} ${kept}.`;
      return noResult({ summary: 'The finished post names fewer files than before', detail });
    }
    // The fetches took time: a link may have taken the folder's place meanwhile.
    await io.files.makeRoom(payload.path);
    const placed = await io.files.keep(parts, payload, signal);
    if (!placed.ok) return placed.error;
    areNamed = true;
    for (const { partial } of places) await removePlainFile(partial);
    const { files, renamed } = placed.value;
    const result = { media: id, files, ...(renamed?.length ? { renamed } : {}) };
    return { came: 'result', sent: 'yes', result };
  } finally {
    // Files without a final name: the next attempt fetches all of them again.
    if (!areNamed) for (const { part } of places) await removePlainFile(part);
  }
}

/** A full disk, or a folder without permission, is for the user to correct; an error without a code is a bug. */
export function diskFailure(error: unknown): Facts {
  if (!(error instanceof Error && 'code' in error)) throw error;
  const { message, code } = error;
  const detail = code === 'EEXIST' ? `${message}. Move it away, then run again.` : message;
  const problem = { summary: 'The output cannot be written', detail, cause: 'disk' } as const;
  return { came: 'local-file', sent: 'yes', problem };
}

export function noResult(problem: Problem): Failed {
  return { came: 'no-result', sent: 'yes', problem };
}

export const NO_FILES = {
  summary: 'The finished post names no file',
  detail: 'Its media_info holds no link to a file; service.media_urls can say where they stand.',
};

function placesOf(
  urls: readonly string[],
  { room, take, partials }: { room: DownloadRoom; take: number; partials: readonly string[] },
): Place[] {
  const { path } = room;
  return urls.map((url, index) => {
    const shown = partials[index] ?? '';
    const part = join(dirname(path), `.${basename(path)}-${take}-${index + 1}.part`);
    return { url, part, partial: join(dirname(path), basename(shown)), shown };
  });
}

/** As users know their files. */
function partialNames(count: number, shown: string): string[] {
  return fileNames(
    shown,
    Array.from({ length: count }, () => ({ path: '.partial' })),
  );
}

/** Attempts by how their files were, and whether a link was refused: links expire, so one fresh link is tried. */
type Memo = { readonly refused: boolean; readonly spoiled: number; readonly unverified: number };

function readMemo({ memo }: Job): Memo {
  return (memo as Memo | undefined) ?? { refused: false, spoiled: 0, unverified: 0 };
}

const ENDS: ReadonlySet<Facts['came']> = new Set(['no-result', 'local-file', 'refused', 'unproven']);

/** The problem says that a file is kept which came whole in this run and could not be fetched once more. */
function namingKept(facts: Facts, { shown }: DownloadRoom, job: Job): Facts {
  if (!readMemo(job).unverified || !ENDS.has(facts.came)) return facts;
  if (!('problem' in facts) || !facts.problem || facts.problem.detail?.includes(KEPT)) return facts;
  return { ...facts, problem: withSentence(facts.problem, `What came before ${KEPT} ${shown}.partial.`) };
}

export function linkFailed(error: ServiceError, { job, io }: StepContext): Failed {
  const memo = readMemo(job);
  const isExpired = isRefused(error) && error.status !== undefined && !memo.refused;
  const failed = requestFailed(error, io);
  return isExpired ? { ...failed, came: 'doubtful', memo: { ...memo, refused: true } } : failed;
}

/** Another attempt with a fresh link; undefined where one run has tried often enough. */
export function again(
  how: 'spoiled' | 'unverified',
  { problem, error }: { problem: Problem; error?: ServiceError },
  { job, io }: StepContext,
): Failed | undefined {
  const before = readMemo(job);
  const tries = before[how] + 1;
  if (tries >= DOUBTFUL_TRIES) return undefined;
  const memo = { ...before, [how]: tries };
  // The network may have cut it, so it counts like a request without an answer.
  if (error) return { ...requestFailed(error, io), memo };
  const waitMs = Math.round(io.random() * DOUBTFUL_MS);
  return { came: 'doubtful', sent: 'yes', problem, waitMs, memo };
}

function allOf(names: readonly string[]): string {
  return names.length === 1 ? names.join() : `${names.at(0)} to ${names.at(-1)}`;
}
