/**
 * When each request of a run began and ended, noted beside the lock (`.campaign/<state>.attempts-<time>.jsonl`) for the
 * timeline: the log has creates only. Nothing depends on it, and it may be deleted; the runs of other machines have none.
 */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { Attempt } from '../model/attempt.ts';
import type { Step, Steps } from '../model/step.ts';
import type { Clock } from '../util/clock.ts';
import { parseJson } from '../util/json.ts';
import { makeIgnoredFolder, openNewFile, readPlainFile, removePlainFile } from '../util/new-file.ts';
import type { Campaign } from './campaign.ts';

/** Its data are beside them, under the name of the same state. */
type Place = Pick<Campaign, 'emulatorData'>;

export interface AttemptNotes {
  /** The same steps, noted. */
  readonly around: (steps: Steps) => Steps;
  /** Never fails. */
  readonly close: () => Promise<void>;
}

/** Notes of so many runs are kept. */
const MOST_FILES = 10;
/** About 120,000 attempts. A run that asks for days notes no more, so that its notes neither fill the disk nor slow a page. */
const MOST_BYTES = 8_000_000;
/** So many attempts are written at once; a run that is killed loses fewer than these. */
const BATCH = 500;

function prefixOf({ emulatorData }: Place): string {
  return `${path.basename(emulatorData, '.data')}.attempts-`;
}

export function createAttemptNotes(place: Place, clock: Clock): AttemptNotes {
  const now = () => clock.now();
  const stamp = new Date(now()).toISOString().replace(/[:.]/g, '-');
  const file = path.join(path.dirname(place.emulatorData), `${prefixOf(place)}${stamp}.jsonl`);
  let lines: string[] = [];
  let handle: fs.FileHandle | undefined;
  let writing = Promise.resolve();
  let bytes = 0;
  let isOver = false;

  async function write(text: string): Promise<void> {
    if (isOver) return;
    try {
      handle ??= await openNotes(place, file);
      await handle.writeFile(text);
      bytes += Buffer.byteLength(text);
      isOver = bytes >= MOST_BYTES;
    } catch {
      // An error of the disk: the timeline knows less.
      isOver = true;
    }
  }

  function flush(): Promise<void> {
    if (lines.length === 0) return writing;
    const text = lines.join('');
    lines = [];
    writing = writing.then(() => write(text));
    return writing;
  }

  function noted(step: Step): Step {
    return {
      async run(job, signal, answered) {
        const begin = now();
        let came: Attempt['came'] = 'nothing';
        try {
          const facts = await step.run(job, signal, answered);
          ({ came } = facts);
          return facts;
        } finally {
          if (!isOver) lines.push(`${JSON.stringify([job.node.address, begin, now(), came])}\n`);
          if (lines.length >= BATCH) void flush();
        }
      },
    };
  }

  return {
    around: (steps) =>
      Object.fromEntries(Object.entries(steps).map(([kind, step]) => [kind, noted(step)])) as Steps,
    async close() {
      await flush();
      await handle?.close().catch(() => undefined);
    },
  };
}

/** The oldest notes make room. */
async function openNotes(place: Place, file: string): Promise<fs.FileHandle> {
  await makeIgnoredFolder(path.dirname(file));
  for (const old of (await notesIn(place)).slice(0, -(MOST_FILES - 1))) await removePlainFile(old);
  return openNewFile(file, 0o600);
}

/** The oldest first. */
async function notesIn(place: Place): Promise<string[]> {
  const prefix = prefixOf(place);
  const folder = path.dirname(place.emulatorData);
  const names = await fs.readdir(folder).catch(() => []);
  const own = names.filter((name) => name.startsWith(prefix) && name.endsWith('.jsonl'));
  return own.sort().map((name) => path.join(folder, name));
}

/** Of all runs that are noted; what cannot be read is left out. */
export function readAttempts(place: Place): Promise<Attempt[]> {
  return createAttemptReader()(place);
}

/** Reads them again and again: notes that did not change are read once. */
export function createAttemptReader(): typeof readAttempts {
  let known: ReadonlyMap<string, { readonly mark: string; readonly attempts: readonly Attempt[] }> =
    new Map();
  async function read(file: string) {
    const stats = await fs.lstat(file);
    const mark = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    const before = known.get(file);
    if (before?.mark === mark) return before;
    const text = await readPlainFile(file);
    return { mark, attempts: text.split('\n').flatMap((line) => attemptIn(line) ?? []) };
  }
  return async (place) => {
    const files = (await notesIn(place)).slice(-MOST_FILES);
    const notes = await Promise.all(
      files.map(async (file) => [file, await read(file).catch(() => ({ mark: '', attempts: [] }))] as const),
    );
    known = new Map(notes);
    return notes.flatMap(([, { attempts }]) => attempts);
  };
}

function attemptIn(line: string): Attempt | undefined {
  const parsed = line ? parseJson(line) : undefined;
  if (!parsed?.ok || !Array.isArray(parsed.value)) return undefined;
  const [address, begin, end, came] = parsed.value;
  if (typeof address !== 'string' || typeof begin !== 'number' || typeof end !== 'number') return undefined;
  return typeof came === 'string' ? { address, begin, end, came: came as Attempt['came'] } : undefined;
}
