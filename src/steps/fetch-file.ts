import type { OutputFile } from '../model/payload.ts';
import type { Problem } from '../model/problem.ts';
import type { Client } from '../service/client.ts';
import type { DownloadedFile } from '../service/save-body.ts';
import type { ServiceError } from '../service/service-error.ts';
import { checkPlace, removePlainFile } from '../util/new-file.ts';
import { checkMedia, lacksEnd } from '../files/check-media.ts';
import { isAsBefore, keepBest, keepWhole } from '../files/partial-file.ts';

export interface Place {
  readonly url: string;
  /** Hidden, and beside the final place: the rename stays on one file system, and nobody takes it for a result. */
  readonly part: string;
  /** For what is no result, or not yet. */
  readonly partial: string;
}

export type Fetched =
  /** Whole, at `part`: verified, or the same bytes as the last time. */
  | { readonly type: 'file'; readonly file: Omit<OutputFile, 'path'> }
  /** Whole, now at `partial`, and nothing can verify it. */
  | { readonly type: 'unverified'; readonly problem: Problem }
  /** Cut (`error`), or no result; what came is still at `part`. */
  | { readonly type: 'spoiled'; readonly problem: Problem; readonly error?: ServiceError }
  | { readonly type: 'failed'; readonly error: ServiceError };

export async function fetchFile(
  client: Pick<Client, 'download'>,
  { url, part, partial }: Place,
  signal: AbortSignal,
): Promise<Fetched> {
  await checkPlace(part);
  const answer = await client.download({ url, path: part }, { signal });
  if (!answer.ok) return failed(answer.error);
  const got = answer.value;
  const checked = await checkMedia(part, got.contentType);
  if (checked.type === 'no-result') return { type: 'spoiled', problem: noResult(got, checked.problem) };
  const { sha256, bytes } = got;
  const { contentType } = checked;
  if (checked.type === 'verified') return { type: 'file', file: { sha256, bytes, contentType } };
  // A file that is cut twice at the same place has the same bytes, too.
  if (!got.isEndTold && (await lacksEnd(part, contentType)))
    return { type: 'spoiled', problem: cutProblem({ contentType, bytes }, checked.problem) };
  if (await isAsBefore(partial, sha256))
    return { type: 'file', file: { sha256, bytes, contentType, unverified: checked.problem } };
  await keepWhole(part, partial);
  return { type: 'unverified', problem: unverifiedProblem({ contentType, bytes }, checked.problem) };
}

function failed(error: ServiceError): Fetched {
  const isCut = error.came === 'unusable';
  return isCut ? { type: 'spoiled', problem: error.problem, error } : { type: 'failed', error };
}

/** Stands in messages before the name of a partial file. */
export const KEPT = 'is kept as';

/** Keeps what came of a file that this run gives up as its partial file; the problem says so. */
export async function keepSpoiled(
  { part, partial }: Place,
  { problem, shown }: { problem: Problem; shown: string },
): Promise<Problem> {
  if (!(await keepBest(part, partial))) return problem;
  return withSentence(problem, `What came ${KEPT} ${shown}.`);
}

export function withSentence(problem: Problem, sentence: string): Problem {
  const said = problem.detail ?? '';
  return {
    ...problem,
    detail: [said && !said.endsWith('.') ? `${said}.` : said, sentence].filter(Boolean).join(' '),
  };
}

/** To be called once every file of a post has its name. */
export async function forgetPartials(places: readonly Place[]): Promise<void> {
  for (const { partial } of places) await removePlainFile(partial);
}

function noResult({ bytes, contentType = 'of no declared type' }: DownloadedFile, why: string): Problem {
  return {
    summary: 'The file is no picture and no video',
    detail: `What came under its link is ${contentType}, ${sizeOf(bytes)}: ${why}.`,
  };
}

function cutProblem({ contentType, bytes }: { contentType: string; bytes: number }, why: string): Problem {
  return {
    summary: 'The file was cut',
    detail: `${contentType}, ${sizeOf(bytes)}: ${why}. The answer did not say how long it is.`,
  };
}

function unverifiedProblem({ contentType, bytes }: { contentType: string; bytes: number }, why: string) {
  return {
    summary: 'The file cannot be verified',
    detail: `${contentType}, ${sizeOf(bytes)}: ${why}.`,
  };
}

function sizeOf(bytes: number): string {
  return `${bytes.toLocaleString('en')} bytes`;
}
