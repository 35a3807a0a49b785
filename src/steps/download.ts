import { basename, dirname, join } from 'node:path';
import { fileNames } from '../model/output-path.ts';
import type { DownloadPayload } from '../model/payload.ts';
import type { Problem } from '../model/problem.ts';
import type { Facts, Failed } from '../model/facts.ts';
import type { Job, Step } from '../model/step.ts';
import { isRefused, type ServiceError } from '../service/service-error.ts';
import { removePlainFile } from '../util/new-file.ts';
import { requestFailed } from './request-facts.ts';
import { fetchFile, forgetPartials, keepSpoiled, KEPT, type Place, withSentence } from './fetch-file.ts';
import { nameFiles, type Part } from '../files/name-files.ts';
import { makeOutputFolder, type OutputFolder } from '../files/output-folder.ts';
import { keepWhole } from '../files/partial-file.ts';
import { type FilesAttempt, linksOf, type ResultLinks } from './result-links.ts';
import type { StepIo } from './step-io.ts';

/** So many attempts of a run may end with a file that is cut, and as many with one that nothing can verify. */
const DOUBTFUL_TRIES = 2;
/** What is not there whole yet may be a moment later. */
const DOUBTFUL_MS = 1_000;

/**
 * Downloads the files of a finished post into `.part` files beside their places, syncs and examines them, then renames
 * all together.
 */
export function downloadStep(io: StepIo): Step {
  return {
    async run(job, signal) {
      if (job.node.kind !== 'download') throw new Error(`not a download: ${job.node.address}`);
      return namingKept(await download(job.node.payload, { job, io, signal }), job);
    },
  };
}

async function download(payload: DownloadPayload, attempt: FilesAttempt): Promise<Facts> {
  const media = await linksOf(payload, attempt);
  if (!media.ok) return media.error;
  if (!media.value.urls.length) return noResult(NO_FILES);
  try {
    return await fetchAll(media.value, payload, attempt);
  } catch (error) {
    return diskFailure(error);
  }
}

async function fetchAll(
  { id, urls, named }: ResultLinks,
  payload: DownloadPayload,
  attempt: FilesAttempt,
): Promise<Facts> {
  const { io, job, signal } = attempt;
  const folder = outputFolder(io);
  const partials = partialNames(Math.max(urls.length, named), payload);
  const places = placesOf(urls, { payload, partials }, folder);
  const parts: Part[] = [];
  let unverified: Problem | undefined;
  await makeOutputFolder(folder, payload.path);
  try {
    for (const [index, place] of places.entries()) {
      const fetched = await fetchFile(io.client, place, signal);
      if (fetched.type === 'failed') return linkFailed(fetched.error, job, io);
      if (fetched.type === 'spoiled') {
        const next = again('spoiled', fetched, attempt);
        if (next) return next;
        const { problem } = fetched;
        if (signal.aborted) return { came: 'aborted', sent: 'yes', problem };
        const shown = partials[index] ?? '';
        return noResult(await keepSpoiled(place, { problem, shown }));
      }
      // The other files are fetched all the same, so that each of them is known in the next attempt.
      if (fetched.type === 'unverified') unverified ??= fetched.problem;
      else parts.push({ part: place.part, file: fetched.file });
    }
    if (unverified) {
      const next = again('unverified', { problem: unverified }, attempt);
      return next ?? noResult(differing(unverified, partials.slice(0, urls.length)));
    }
    // A file that the post no longer names was paid for: the download is not done before all files are there.
    if (urls.length < named) {
      for (const { part, partial } of places) await keepWhole(part, partial);
      return noResult(fewer(named, partials.slice(0, urls.length)));
    }
    // The fetches took time: a link may have taken the folder's place meanwhile.
    await makeOutputFolder(folder, payload.path);
    const { files, renamed } = await nameFiles(parts, payload, folder);
    await forgetPartials(places);
    const result = { media: id, files, ...(renamed.length ? { renamed } : {}) };
    return { came: 'result', sent: 'yes', result };
  } finally {
    // Files without a final name: the next attempt fetches all of them again.
    for (const { part } of places) await removePlainFile(part);
  }
}

/** A full disk, or a folder without permission, is for the user to correct; an error without a code is a bug. */
function diskFailure(error: unknown): Facts {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === undefined) throw error;
  const said = error instanceof Error ? error.message : code;
  const detail = code === 'EEXIST' ? `${said}. Move it away, then run again.` : said;
  const problem = { summary: 'The output cannot be written', detail, cause: 'disk' } as const;
  return { came: 'local-file', sent: 'yes', problem };
}

function noResult(problem: Problem): Failed {
  return { came: 'no-result', sent: 'yes', problem };
}

const NO_FILES = {
  summary: 'The finished post names no file',
  detail: 'Its media_info holds no http(s) URL; service.media_urls can say where they stand.',
};

function outputFolder({ folder, outputs }: StepIo): OutputFolder {
  if (!outputs) throw new Error('a download without a folder for outputs');
  return { folder, dir: outputs.dir };
}

function placesOf(
  urls: readonly string[],
  { payload, partials }: { payload: DownloadPayload; partials: readonly string[] },
  { folder }: OutputFolder,
): Place[] {
  const path = join(folder, payload.path);
  return urls.map((url, index) => ({
    url,
    part: join(dirname(path), `.${basename(path)}-${payload.take}-${index + 1}.part`),
    partial: join(folder, partials[index] ?? ''),
  }));
}

/** Relative to the manifest's folder, as users know their files. */
function partialNames(count: number, { path }: DownloadPayload): string[] {
  return fileNames(
    path,
    Array.from({ length: count }, () => ({ path: '.partial' })),
  );
}

type Memo = {
  /** A link was refused. Links expire, so one fresh link is tried. */
  readonly refused: boolean;
  /** Attempts that ended with a file that was cut or is no result. */
  readonly spoiled: number;
  /** Attempts that ended with a file that nothing can verify and whose bytes differed from the last ones. */
  readonly unverified: number;
};

function readMemo({ memo }: Job): Memo {
  return (memo as Memo | undefined) ?? { refused: false, spoiled: 0, unverified: 0 };
}

/** What ends a download in this run. */
const ENDS: ReadonlySet<Facts['came']> = new Set(['no-result', 'local-file', 'refused', 'unproven']);

/** The problem says that a file is kept which came whole in this run and could not be fetched once more. */
function namingKept(facts: Facts, job: Job): Facts {
  if (!readMemo(job).unverified || job.node.kind !== 'download') return facts;
  if (!('problem' in facts) || !facts.problem || !ENDS.has(facts.came)) return facts;
  const { problem } = facts;
  if (problem.detail?.includes(KEPT)) return facts;
  const kept = `What came before ${KEPT} ${job.node.payload.path}.partial.`;
  return { ...facts, problem: withSentence(problem, kept) };
}

function linkFailed(error: ServiceError, job: Job, io: StepIo): Failed {
  const memo = readMemo(job);
  const isExpired = isRefused(error) && error.status !== undefined && !memo.refused;
  const failed = requestFailed(error, io);
  return isExpired ? { ...failed, came: 'doubtful', memo: { ...memo, refused: true } } : failed;
}

/** Another attempt with a fresh link; undefined where one run has tried often enough. */
function again(
  how: 'spoiled' | 'unverified',
  { problem, error }: { problem: Problem; error?: ServiceError },
  { job, io }: FilesAttempt,
): Failed | undefined {
  const memo = readMemo(job);
  const tries = memo[how] + 1;
  if (tries >= DOUBTFUL_TRIES) return undefined;
  const next = { ...memo, [how]: tries };
  // The network may have cut it, so it counts like a request without an answer.
  if (error) return { ...requestFailed(error, io), memo: next };
  return {
    came: 'doubtful',
    sent: 'yes',
    problem,
    waitMs: Math.round(io.random() * DOUBTFUL_MS),
    memo: next,
  };
}

function differing(problem: Problem, kept: readonly string[]): Problem {
  return withSentence(problem, `A second fetch gave other bytes. What came last ${KEPT} ${allOf(kept)}.`);
}

function fewer(named: number, kept: readonly string[]): Problem {
  return {
    summary: 'The finished post names fewer files than before',
    detail: `It named ${named} when it was finished, and ${kept.length} now. What came ${KEPT} ${allOf(kept)}.`,
  };
}

function allOf(names: readonly string[]): string {
  return names.length === 1 ? names.join() : `${names.at(0)} to ${names.at(-1)}`;
}
