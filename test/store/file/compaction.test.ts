import { promises } from 'node:fs';
import * as fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StateEvent } from '../../../src/model/state-event.ts';
import { fold, emptyState } from '../../../src/log/fold.ts';
import type { FoldState } from '../../../src/log/fold-state.ts';
import { encodeCheckpoint } from '../../../src/store/file/checkpoint.ts';
import { snapshotEvents } from '../../../src/log/snapshot.ts';
import {
  createdRequest,
  folded,
  intent,
  plain,
  requested,
  timed,
  type Happening,
} from '../../log/fold-events.ts';
import { AT, EVENTS, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace, openState, OPTIONS, read, write, written } from './state-place.ts';

const PROBLEM = { summary: 'refused' };
const at = (address: string, rest: object): Happening => ({ ...rest, address }) as Happening;
const uploaded = (n: number) =>
  at('upload/1', { type: 'uploaded', inputs: { n }, fingerprint: `f${n}`, result: { url: 'u' } });

/** A little of everything that a log can hold. */
const HAPPENINGS: readonly Happening[] = [
  uploaded(1),
  uploaded(2),
  intent('product/tote'),
  at('product/tote', { type: 'created', result: { id: 'p-1', url: 'u' } }),
  intent('product/tote', 'f2'),
  intent('product/tote', 'f3'),
  at('product/tote', { type: 'unknown', evidence: { summary: 'reset' } }),
  at('product/tote', { type: 'not-sent', problem: PROBLEM }),
  at('product/tote', { type: 'resolved', decision: 'not-created' }),
  at('product/tote', { type: 'resolved', decision: 'created', result: { id: 'p-9' } }),
  intent('concept/morning'),
  at('concept/morning', { type: 'rejected', problem: PROBLEM }),
  { type: 'moved', moves: [{ from: 'product/tote', to: 'product/bag' }] },
  intent('product/bag'),
  requested(1, ['1', '2']),
  createdRequest(1, ['3']),
  requested(2, ['1']),
  at('media-config/hero@2', { type: 'throttled', problem: PROBLEM }),
  at('media-config/hero@2', { type: 'unknown', evidence: { summary: 'reset' } }),
  at('media/hero/1@1', { type: 'seen' }),
  at('media/hero/1@1', { type: 'generated', result: { id: 'm-1', urls: [] } }),
  at('media/hero/2@1', { type: 'generation-failed', problem: PROBLEM }),
  at('download/hero/1@1', { type: 'downloaded', result: { media: 'm-1', files: [] } }),
  { type: 'moved', moves: [{ from: 'media/hero/1', to: 'media/front/1' }] },
  { type: 'learned', name: 'media-path', value: '/x' },
  at('product/bag', { type: 'forgotten' }),
  at('media/hero/1@1', { type: 'forgotten' }),
  at('media-config/hero@1', { type: 'forgotten' }),
  at('media-config/hero@2', { type: 'resolved', decision: 'not-created' }),
  at('media-config/hero@2', { type: 'resolved', decision: 'skipped' }),
  ...EVENTS.filter(({ type }) => type === 'run-started' || type === 'run-finished'),
  { type: 'run-started', command: 'resolve x', version: '1', manifest: 'm.yaml', by: 'anna@studio' },
  { type: 'spent', month: '2026-01', posts: 3, cost: 0.3 },
];

/** In what order intents were opened says nothing. */
function comparable(state: FoldState): unknown {
  const before = [...state.before].sort(([a], [b]) => (a < b ? -1 : 1));
  return plain({ ...state, before: new Map(before) });
}

/** A state that was written down as a snapshot, and read again. */
function keptAndRead(state: FoldState): FoldState {
  const again = emptyState();
  const { command } = state.spending;
  const run = {
    run: 'r',
    command,
    version: '1',
    manifest: 'm.yaml',
    startedAt: AT,
    by: 'anna@studio',
    last: { seq: 1, crc: 1 },
  };
  const runs = command ? [run] : [];
  const events = JSON.parse(JSON.stringify([...snapshotEvents(state, runs, AT)])) as StateEvent[];
  for (const event of events) fold(again, event);
  return again;
}

describe('a snapshot', () => {
  it('keeps requests, media, and each of the intents that are open for one object', () => {
    const state = folded(requested(1, ['1']), intent('product/tote'), intent('product/tote', 'f2'));
    const again = keptAndRead(state);
    expect(comparable(again)).toEqual(comparable(state));
    expect(again.objects.get('product/tote')?.fingerprint).toBe('f2');
    const [takenBack] = timed(at('product/tote', { type: 'not-sent', problem: PROBLEM }));
    if (takenBack) fold(again, takenBack);
    expect(again.objects.get('product/tote')?.fingerprint).toBe('f1');
    if (takenBack) fold(again, takenBack);
    expect(again.objects.has('product/tote')).toBe(false);
  });

  it('folds to the state that it was taken from, whatever happened, and to the same from then on', () => {
    const some = fc.array(fc.constantFrom(...HAPPENINGS), { maxLength: 30 });
    fc.assert(
      fc.property(some, some, (before, after) => {
        const state = folded(...before);
        const again = keptAndRead(state);
        expect(comparable(again)).toEqual(comparable(state));
        for (const event of timed(...after)) {
          fold(state, event);
          fold(again, event);
        }
        expect(comparable(again)).toEqual(comparable(state));
      }),
      { numRuns: 2000 },
    );
  });
});

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const lock = () => path.join(folder, '.campaign', `${path.basename(file)}.lock`);
const rewrite = () => path.join(folder, '.campaign', `${path.basename(file)}.rewrite`);

/** Polls, over and over: what a log grows with. */
const WORDS: readonly StateEvent[] = Array.from({ length: 60 }, (_, n) => ({
  type: 'learned',
  at: AT,
  name: 'media-path',
  value: `/media/${n}`,
}));

/** A run that records a lot and comes to little. */
async function grown(how: 'compact' | 'as-it-is' = 'compact'): Promise<string> {
  const state = await written(file);
  await state.recorder.append([...EVENTS.slice(0, 4), ...WORDS, ...EVENTS.slice(4)]);
  await state.close(how);
  return fs.readFile(file, 'utf8');
}

/** Another run, which says so before it records anything. */
async function nextRun() {
  const [begin] = EVENTS;
  const opened = await openState({
    ...OPTIONS,
    stateFile: file,
    mode: 'write',
    runId: 'run-3',
    ...(begin && { begin }),
  });
  if (!opened.ok) throw new Error(opened.error.detail);
  return opened.value;
}

describe('a log that has grown', () => {
  it('is replaced by what it says, under its lineage, with the numbers going on', async () => {
    const whole = await grown('as-it-is');
    await fs.rm(file);
    await fs.rm(lock());
    const short = await grown();
    expect(short.length * 4).toBeLessThan(whole.length);
    const [header, ...lines] = short
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { lineage: string; seq: number; event: StateEvent });
    expect(header).toMatchObject({ format: 1, lineage: LINEAGE, seq: 65 });
    expect(lines.map(({ seq, event }) => [seq, event.type])).toEqual([
      [66, 'kept'],
      [67, 'learned'],
      [68, 'kept'],
      [69, 'kept'],
    ]);
    expect((await fs.stat(file)).mode & 0o777).toBe(0o600);

    const state = await written(file);
    expect(state).toMatchObject({
      known: 2,
      seq: 69,
      warnings: [],
      runs: [{ run: 'run-2', command: 'apply' }],
    });
    expect(state.runs[0]?.end).toMatchObject({ exitCode: 4, outcome: 'undecided' });
    expect(state.state.objects.get('product/mug')).toMatchObject({ status: 'unknown' });
    // What was open before is taken back as it would have been.
    await state.recorder.append([
      { type: 'resolved', at: AT, address: 'product/mug', decision: 'not-created' },
    ]);
    expect(state.state.objects.has('product/mug')).toBe(false);
    await state.close();
    expect((await read(file)).ok).toBe(true);
  });

  it('stays where it is worth little, and where nothing was recorded', async () => {
    const state = await written(file);
    await state.recorder.append(EVENTS);
    await state.close('compact');
    expect(await fs.readFile(file, 'utf8')).toBe(linesOf(EVENTS, { run: 'run-2' }).join(''));
    await fs.rm(lock());
    await fs.writeFile(file, linesOf([...EVENTS, ...WORDS]).join(''));
    const before = await fs.readFile(file, 'utf8');
    await (await written(file)).close('compact');
    expect(await fs.readFile(file, 'utf8')).toBe(before);
  });

  it('stays where the folder takes no new file, and the run does not fail for it', async () => {
    await fs.mkdir(path.dirname(rewrite()), { mode: 0o700 });
    await fs.mkdir(rewrite());
    const whole = await grown();
    expect(whole.split('\n')).toHaveLength(67);
    await fs.rmdir(rewrite());
    const state = await written(file);
    await state.recorder.append(EVENTS);
    await state.close('compact');
    expect((await fs.readFile(file, 'utf8')).length).toBeLessThan(whole.length);
  });

  it('is followed by copies of it, by the last record of each run', async () => {
    await grown('as-it-is');
    const known = await fs.readFile(lock(), 'utf8');
    const second = await nextRun();
    await second.recorder.append([...WORDS, ...EVENTS.slice(-1)]);
    await second.close('compact');
    // Another machine knows the log as it was after the first run, and gets the short one through git.
    await fs.writeFile(lock(), known);
    await (await written(file)).close();
    // A third one has recorded something of its own after that run.
    await fs.writeFile(lock(), encodeCheckpoint(LINEAGE, { seq: 66, crc: 1 }));
    const refused = await write(file);
    expect(!refused.ok && refused.error).toMatchObject({ code: 'state-diverged', exit: 76 });
  });

  it('is known after a crash before it is remembered, where an earlier run was taken in', async () => {
    const state = await written(file);
    await state.recorder.append(EVENTS.slice(0, 4));
    // Taken away and put back as another file: the rest of the run goes into a file of its own.
    const log = await fs.readFile(file, 'utf8');
    await fs.rm(file);
    await fs.writeFile(file, log);
    await expect(state.recorder.append(EVENTS.slice(4))).rejects.toThrow('replaced');
    await state.close();
    const next = await nextRun();
    expect(next.warnings).toHaveLength(1);
    const known = await fs.readFile(lock(), 'utf8');
    await next.recorder.append(WORDS);
    await next.close('compact');
    expect((await fs.readFile(file, 'utf8')).length).toBeLessThan(log.length * 3);
    await fs.writeFile(lock(), known);
    const after = await written(file);
    expect(after.warnings).toEqual([]);
    await after.close();
  });

  it('is taken by the machine whose run was taken in elsewhere, before it was compacted', async () => {
    const state = await written(file);
    const [begin, ...rest] = EVENTS;
    await state.recorder.append([begin, ...rest.slice(0, 2)] as StateEvent[]);
    const known = await fs.readFile(lock(), 'utf8');
    const log = await fs.readFile(file, 'utf8');
    await fs.rm(file);
    await fs.writeFile(file, log);
    await expect(state.recorder.append(rest.slice(2))).rejects.toThrow('replaced');
    await state.close();
    const next = await nextRun();
    expect(next.warnings).toHaveLength(1);
    await next.recorder.append(WORDS);
    await next.close('compact');
    expect((await fs.readFile(file, 'utf8')).split('\n')[0]).toContain('"seq":');
    await fs.writeFile(lock(), known);
    const again = await written(file);
    expect(again.warnings).toEqual([]);
    await again.close();
  });

  it('stays where the file is another one by then', async () => {
    const state = await written(file);
    await state.recorder.append([...EVENTS.slice(0, 4), ...WORDS, ...EVENTS.slice(4)]);
    const other = await fs.readFile(file, 'utf8');
    await fs.rm(file);
    await fs.writeFile(file, other);
    await state.close('compact');
    expect(await fs.readFile(file, 'utf8')).toBe(other);
  });

  it('stays where the snapshot has a bug, which is told, and the lock is free', async () => {
    const state = await written(file);
    await state.recorder.append([...EVENTS, ...WORDS]);
    const before = await fs.readFile(file, 'utf8');
    // No line of a log can say this.
    (state.state.learned as Map<string, unknown>).set('media-path', 1n);
    await expect(state.close('compact')).rejects.toThrow(TypeError);
    expect(await fs.readFile(file, 'utf8')).toBe(before);
    await (await written(file)).close();
  });

  it.each([false, true])('is found again where its new name is refused, done or not: %s', async (isDone) => {
    const state = await written(file);
    await state.recorder.append([...EVENTS, ...WORDS]);
    const { rename } = promises;
    promises.rename = async (from, to) => {
      if (isDone) await rename(from, to);
      throw Object.assign(new Error('EIO: i/o error, rename'), { code: 'EIO', syscall: 'rename' });
    };
    syncBuiltinESMExports();
    try {
      await state.close('compact');
    } finally {
      promises.rename = rename;
      syncBuiltinESMExports();
    }
    const { length } = (await fs.readFile(file, 'utf8')).split('\n');
    expect(length < WORDS.length).toBe(isDone);
    const after = await written(file);
    expect([after.known, after.warnings]).toEqual([2, []]);
    await after.close();
  });

  it('leaves the old log or the new one where it is interrupted', async () => {
    const whole = await grown('as-it-is');
    // Before the rename: half a new log lies aside.
    await fs.writeFile(rewrite(), '{"format":1,"line');
    const state = await nextRun();
    expect(await fs.readFile(file, 'utf8')).toBe(whole);
    await state.recorder.append(EVENTS.slice(-1));
    const known = await fs.readFile(lock(), 'utf8');
    await state.close('compact');
    // After the rename, before it is remembered.
    await fs.writeFile(lock(), known);
    const after = await written(file);
    expect([after.known, after.warnings]).toEqual([2, []]);
    await after.close();
  });
});
