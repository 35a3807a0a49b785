import { stat } from 'node:fs/promises';
import { checkMedia } from '../files/check-media.ts';
import { keepBest, keepWhole } from '../files/partial-file.ts';
import { sha256Of } from '../files/sha256-of.ts';
import type { OutputFile } from '../model/payload.ts';
import type { Problem } from '../model/problem.ts';
import type { Client } from '../service/client.ts';
import type { DownloadOptions } from '../service/download.ts';
import type { ServiceError } from '../service/service-error.ts';
import { checkPlaceNow } from '../util/new-file.ts';

export interface Place {
  readonly url: string;
  /** Hidden, and beside the final place: the rename stays on one file system, and nobody takes it for a result. */
  readonly part: string;
  /** For what is no result, or not yet. */
  readonly partial: string;
  /** `partial`, as messages name it. */
  readonly shown: string;
}

type Fetched =
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
  options: DownloadOptions,
): Promise<Fetched> {
  checkPlaceNow(part);
  const answer = await client.download({ url, path: part }, options);
  if (!answer.ok) {
    const { error } = answer;
    return error.came === 'unusable'
      ? { type: 'spoiled', problem: error.problem, error }
      : { type: 'failed', error };
  }
  const { sha256, bytes, isEndTold, content, contentType: declared = 'of no declared type' } = answer.value;
  const size = `${bytes.toLocaleString('en')} bytes`;
  const checked = await checkMedia(part, { declared: answer.value.contentType, content });
  if (checked.type === 'no-result') {
    const detail = `What came under its link is ${declared}, ${size}: ${checked.problem}.`;
    return { type: 'spoiled', problem: { summary: 'The file is no picture and no video', detail } };
  }
  const { contentType } = checked;
  if (checked.type === 'verified') return { type: 'file', file: { sha256, bytes, contentType } };
  const detail = `${contentType}, ${size}: ${checked.problem}.`;
  // A file that is cut twice at the same place has the same bytes, too.
  if (!isEndTold && checked.isCut) {
    const unsaid = `${detail} The answer did not say how long it is.`;
    return { type: 'spoiled', problem: { summary: 'The file was cut', detail: unsaid } };
  }
  const before = await stat(partial).catch(() => undefined);
  if (checked.isCut && before && before.size > bytes) {
    const longer = `${detail} What came before is longer, and is kept.`;
    return { type: 'spoiled', problem: { summary: 'The file was cut', detail: longer } };
  }
  if ((await sha256Of(partial)) === sha256)
    return { type: 'file', file: { sha256, bytes, contentType, unverified: checked.problem } };
  await keepWhole(part, partial);
  return { type: 'unverified', problem: { summary: 'The file cannot be verified', detail } };
}

/** Stands in messages before the name of a partial file. */
export const KEPT = 'is kept as';

export async function keepSpoiled({ part, partial, shown }: Place, problem: Problem): Promise<Problem> {
  if (!(await keepBest(part, partial))) return problem;
  return withSentence(problem, `What came ${KEPT} ${shown}.`);
}

export function withSentence(problem: Problem, sentence: string): Problem {
  const said = problem.detail ?? '';
  const ended = said && !said.endsWith('.') ? `${said}.` : said;
  return { ...problem, detail: [ended, sentence].filter(Boolean).join(' ') };
}
