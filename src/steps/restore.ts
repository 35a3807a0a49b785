/**
 * Brings recorded files of a finished post again. Only the recorded bytes are put into their places; whatever else stands
 * there becomes a backup first. Nothing is recorded: the state says already what the files are.
 */
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeOutputFolder } from '../files/output-folder.ts';
import { type OutputFolder, placeOf } from '../files/own-place.ts';
import { setAside } from '../files/set-aside.ts';
import type { Address } from '../model/address.ts';
import type { Facts } from '../model/facts.ts';
import type { OutputFile } from '../model/payload.ts';
import type { Problem } from '../model/problem.ts';
import type { Step } from '../model/step.ts';
import type { DownloadedFile } from '../service/save-body.ts';
import { syncFolder } from '../util/atomic-file.ts';
import { checkPlaceNow, removePlainFile } from '../util/new-file.ts';
import { shareRuns } from '../util/share-runs.ts';
import { again, diskFailure, linkFailed, NO_FILES, noResult } from './download.ts';
import { unclear } from './request-facts.ts';
import { linksOf, type ResultLinks } from './result-links.ts';
import { type StepContext, type StepIo, stepOf } from './step-io.ts';

export interface WantedFile extends OutputFile {
  /** Among the files of its post, from 0. */
  readonly place: number;
}

export interface Restoring {
  readonly place: OutputFolder;
  /** By the address of the download with its take. */
  readonly wanted: ReadonlyMap<Address, readonly WantedFile[]>;
  /** Called for each file that is in its place; `backup` is what stood there before. */
  readonly restored: (path: string, backup: string | undefined) => void;
}

/** In the place of the step of downloads. */
export function restoreStep(io: StepIo, { place, wanted, restored }: Restoring): Step {
  const sync = shareRuns(syncFolder);
  const done = new Set<string>();
  const put = async (part: string, { path, sha256 }: WantedFile) => {
    const target = placeOf(place, path);
    // The fetch took time: a link may have taken the folder's place meanwhile.
    await makeOutputFolder(place, path);
    const backup = await setAside(target, sha256);
    await rename(part, target);
    await sync(dirname(target));
    done.add(path);
    restored(path, backup);
  };
  return stepOf('download', async ({ address, payload }, context) => {
    const links = await linksOf(payload, context);
    if (!links.ok) return givenNow(links.error);
    const all = wanted.get(address) ?? [];
    const files = all.filter(({ path }) => !done.has(path));
    try {
      const problem = await restore(links.value, files, { ...context, place, put });
      if (problem && 'came' in problem) return problem;
      const result = { media: links.value.id, files: [...all] };
      if (!problem) return { came: 'result', sent: 'yes', result };
      return again('unverified', { problem }, context) ?? noResult(problem);
    } catch (error) {
      return diskFailure(error);
    }
  })(io);
}

/** A post that is being made again gives no files now, and nobody waits for other ones than those recorded. */
function givenNow(facts: Facts): Facts {
  return facts.came === 'pending' && facts.problem ? unclear(facts.problem) : facts;
}

interface Putting extends StepContext {
  readonly place: OutputFolder;
  readonly put: (part: string, file: WantedFile) => Promise<void>;
}

/** What could not be brought, or facts where a request did not succeed. */
async function restore(
  { urls }: ResultLinks,
  files: readonly WantedFile[],
  context: Putting,
): Promise<Problem | Facts | undefined> {
  const { io, signal, place, put } = context;
  if (!urls.length) return NO_FILES;
  const left = [...files];
  let problem: Problem | undefined;
  // The service may name them in another order by now.
  const order = new Set([...files.map((file) => file.place), ...urls.keys()]);
  for (const index of order) {
    const next = left.find((file) => file.place === index) ?? left[0];
    const url = urls[index];
    if (!next || url === undefined) continue;
    const part = partOf(place, next);
    await makeOutputFolder(place, next.path);
    checkPlaceNow(part);
    try {
      const answer = await io.client.download({ url, path: part }, { signal });
      if (!answer.ok) return linkFailed(answer.error, context);
      const { sha256 } = answer.value;
      const same = sha256 === next.sha256 ? next : left.find((file) => file.sha256 === sha256);
      if (same) {
        await put(part, same);
        left.splice(left.indexOf(same), 1);
      } else problem ??= otherBytes(next, answer.value);
    } finally {
      await removePlainFile(part);
    }
  }
  return left.length ? (problem ?? FEWER) : undefined;
}

function partOf(place: OutputFolder, { path }: WantedFile): string {
  const target = placeOf(place, path);
  return join(dirname(target), `.${basename(target)}.part`);
}

function otherBytes({ path, sha256, bytes }: WantedFile, came: DownloadedFile): Problem {
  const sizes = [came, { bytes }].map((file) => `${file.bytes.toLocaleString('en')} bytes`);
  const detail =
    `${path}: what the service gives now (${came.contentType ?? 'of no declared type'}, ${sizes[0]}) has the SHA-256 ` +
    `${short(came.sha256)}; the recorded file (${sizes[1]}) has ${short(sha256)}. Nothing was replaced`;
  return { summary: 'The service gives other bytes than were recorded', detail };
}

function short(sha256: string): string {
  return `${sha256.slice(0, 12)}…`;
}

const FEWER = {
  summary: 'The finished post names fewer files than before',
  detail: 'None of those that it still names is the recorded one. Nothing was replaced',
};
