/** Whoever reads a log on and on has, after whatever became of the file, what somebody has who reads it for the first time. */
import { mkdirSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { emptyState, fold } from '../../../src/log/fold.ts';
import type { RecordPlace } from '../../../src/log/log-record.ts';
import { snapshotEvents } from '../../../src/log/snapshot.ts';
import { followLog, type FollowLog } from '../../../src/store/file/follow-log.ts';
import { encodeHeader } from '../../../src/store/file/header.ts';
import { encodeRecords } from '../../../src/store/file/record.ts';
import { openedState } from '../../../src/store/store.ts';
import { happening } from '../../log/any-happening.ts';
import { plain, timed, type Happening } from '../../log/fold-events.ts';
import { AT, EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace } from './state-place.ts';

/** All that somebody who opens a state gets of a log. */
async function found(follow: FollowLog, file: string) {
  const loaded = await follow(file);
  if (!loaded.ok) return loaded.error;
  const { header, reading, crcAt, boundAt, isThere } = loaded.value;
  const { state: _, ...opened } = openedState(loaded.value, reading.chain);
  const crcs = Array.from({ length: reading.chain.seq + 2 }, (_, seq) => crcAt(seq));
  return { opened, header, reading, crcs, boundAt, isThere, nodes: plain(loaded.value.state) };
}

/** A file, and the log that it should have. */
class Log {
  lines: string[] = [];
  end: RecordPlace = { seq: 0, crc: 0 };
  events: readonly Happening[] = [];
  #time = 1;
  readonly file: string;

  constructor(file: string) {
    this.file = file;
    this.begin(LINEAGE);
  }

  begin(lineage: string, from?: RecordPlace): void {
    const { line, crc } = encodeHeader(lineage, IDENTITY, from);
    this.lines = [line];
    this.end = { seq: from?.seq ?? 0, crc };
  }

  add(run: string, happenings: readonly Happening[]): void {
    const { lines, end } = encodeRecords(timed(...happenings), run, this.end);
    this.lines.push(...lines.split('\n').flatMap((line) => (line ? [`${line}\n`] : [])));
    this.events = [...this.events, ...happenings];
    this.end = end;
  }

  get text(): string {
    return this.lines.join('');
  }

  /** Into the same file; a new one has another number. */
  overwrite(text = this.text): void {
    writeFileSync(this.file, text);
    // Two changes in one moment have one time.
    utimesSync(this.file, (this.#time += 1), this.#time);
  }

  replace(): void {
    writeFileSync(`${this.file}.new`, this.text);
    renameSync(`${this.file}.new`, this.file);
  }
}

type Change = (log: Log) => void;

const some = fc.array(happening, { minLength: 1, maxLength: 6 });
const RUNS: readonly Happening[] = [
  { type: 'run-started', command: 'apply', version: '1', manifest: 'm.yaml', by: 'anna@studio' },
  ...EVENTS.filter(({ type }) => type === 'run-finished'),
  { type: 'rebound', campaign: 'spring-launch', environment: 'live', base_url: 'https://live.example.com' },
];

const added: fc.Arbitrary<Change> = fc
  .tuple(fc.oneof(some, fc.subarray([...RUNS], { minLength: 1 })), fc.constantFrom('run-1', 'run-2'))
  .map(([happenings, run]) => (log) => {
    log.add(run, happenings);
    // What was unfinished is finished now, or gone.
    if (existsSync(log.file)) truncateSync(log.file, 0);
    appendFileSync(log.file, log.text);
  });

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: added },
  // The beginning of a line, or what a disk leaves of one.
  fc.constantFrom<Change>(
    (log) => appendFileSync(log.file, `{"seq":${log.end.seq + 1},"ru`),
    (log) => appendFileSync(log.file, '\0\0\0'),
    (log) => log.overwrite(log.text.slice(0, -1)),
    () => {},
  ),
  fc.constantFrom<Change>(
    (log) => log.replace(),
    (log) => log.overwrite(log.text.slice(0, 20)),
    (log) => log.overwrite(log.text.replace('"at":"2', '"at":"3')),
    (log) => log.overwrite(log.text.replace('\n', '\r\n')),
    (log) => rmSync(log.file, { force: true }),
  ),
  // Compacted: as its snapshot, with the number of the last record, and what comes after it.
  fc.constant<Change>((log) => {
    const state = timed(...log.events).reduce(fold, emptyState());
    const kept = [...snapshotEvents(state, [], AT)];
    log.begin(LINEAGE, log.end);
    log.events = [];
    log.add('run-3', kept);
    log.replace();
  }),
  // Cut, or edited by hand with all checksums made anew.
  fc.tuple(fc.nat(6), some).map(
    ([left, happenings]): Change =>
      (log) => {
        const { events } = log;
        log.begin(LINEAGE);
        log.events = [];
        log.add('run-1', events.slice(0, left));
        if (left % 2) log.add('run-1', happenings);
        log.overwrite();
      },
  ),
  some.map(
    (happenings): Change =>
      (log) => {
        log.begin('another-lineage');
        log.events = [];
        log.add('run-1', happenings);
        log.overwrite();
      },
  ),
);

it('reads on what was only added to, and begins anew after anything else', async () => {
  const { folder, file } = await makePlace();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 12 }), async (changes) => {
      const log = new Log(file);
      log.overwrite();
      let shown: number[] = [];
      const follow = followLog(() => {
        shown = [];
        return ({ seq }) => shown.push(seq);
      });
      for (const each of changes) {
        each(log);
        const fresh: number[] = [];
        const once = await found(
          followLog(
            () =>
              ({ seq }) =>
                fresh.push(seq),
          ),
          file,
        );
        expect(await found(follow, file)).toEqual(once);
        if ('opened' in once) expect(shown).toEqual(fresh);
      }
    }),
    { numRuns: 40 },
  );
});

it('reads of a log that has grown only what was added, and nothing of one that has not', async () => {
  const { folder, file } = await makePlace();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines = linesOf(EVENTS);
  writeFileSync(file, lines.slice(0, 3).join(''));
  const shown: (number | 'begun')[] = [];
  const follow = followLog(() => {
    shown.push('begun');
    return ({ seq }) => shown.push(seq);
  });
  const look = async (at = file) => {
    shown.length = 0;
    const loaded = await follow(at);
    return loaded.ok ? [...shown] : loaded.error.code;
  };
  expect(await look()).toEqual(['begun', 1, 2]);
  expect(await look()).toEqual([]);
  appendFileSync(file, lines.slice(3, 5).join(''));
  expect(await look()).toEqual([3, 4]);
  appendFileSync(file, (lines[5] ?? '').slice(0, 30));
  expect(await look()).toEqual([]);
  appendFileSync(file, (lines[5] ?? '').slice(30));
  expect(await look()).toEqual([5]);
  // Another name, a touched file, and a copy in its place may be anything.
  renameSync(file, `${file}.moved`);
  expect(await look(`${file}.moved`)).toEqual(['begun', 1, 2, 3, 4, 5]);
  utimesSync(`${file}.moved`, 1, 1);
  expect(await look(`${file}.moved`)).toEqual(['begun', 1, 2, 3, 4, 5]);
  expect(await look()).toEqual(['begun']);
  writeFileSync(file, readFileSync(`${file}.moved`));
  expect(await look()).toEqual(['begun', 1, 2, 3, 4, 5]);
  // A record that does not go on from the last one: the log is damaged, and nothing of it is believed.
  appendFileSync(file, lines[5] ?? '');
  expect(await look()).toBe('state-damaged');
  rmSync(file);
  mkdirSync(file);
  expect(await look()).toBe('state-not-a-file');
});
