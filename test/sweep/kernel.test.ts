/** The real command, stopped by the kernel: at the nth system call of a kind, or where a file may not grow. */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AtEnd, STATE } from '../cli/small-campaign.ts';
import { hasTool } from '../support/has-tool.ts';
import type { CliEnd } from '../support/run-cli.ts';
import { told } from './dimension.ts';
import { startRealCampaign } from './real-campaign.ts';
import { everyNth, IS_FULL } from './stride.ts';

const hasStrace = hasTool('strace');

/** Every call from the first on, until a run comes to its end before there is one; in the short form these alone. */
function* callsFrom(sample: readonly number[]): Generator<number> {
  if (IS_FULL) for (let n = 1; ; n += 1) yield n;
  yield* sample;
}

/** Kills at one call after the other; how many there were. */
async function sweepCalls(call: string, atEnd: AtEnd): Promise<number> {
  let visited = 0;
  for (const n of callsFrom(call === 'fsync' ? [15] : [8])) {
    const campaign = await startRealCampaign(atEnd);
    const inject = `inject=${call}:signal=KILL:when=${n}`;
    const end = await campaign.applyUnder([
      'strace',
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      `trace=${call}`,
      '-e',
      inject,
    ]);
    if (end.signal !== 'SIGKILL') break;
    visited += 1;
    await campaign.check(end);
    await campaign.finish();
  }
  return visited;
}

/** Of which calls the kernel refuses one; writes are told by their file, or it would refuse those of the event loop. */
const REFUSED = ['write', 'pwrite64', 'fdatasync', 'fsync', 'rename'] as const;

/** Every file that a run writes; `$$` is the run's own number. */
const WRITTEN = [
  ['', '.campaign/.gitignore', '.campaign/stat-cache.json.$$.tmp'],
  ['', STATE, `.campaign/${STATE}.lock`, `.campaign/${STATE}.lock.json.$$.tmp`],
  [
    'out/small/default/',
    'index.json.$$.tmp',
    'hero/.kitchen-image-1-1.part',
    'hero/.tour-carousel-1-1.part',
    'hero/.tour-carousel-1-2.part',
  ],
].flatMap(([folder = '', ...files]) => files.map((file) => `${folder}${file}`));

/** One call after the other is refused, with one code and the other in turn; how many there were. */
async function refuseCalls(calls: (typeof REFUSED)[number], atEnd: AtEnd): Promise<number> {
  let visited = 0;
  for (const n of callsFrom(calls === 'write' ? [20] : [1])) {
    const campaign = await startRealCampaign(atEnd);
    const trace = path.join(campaign.folder, 'trace.txt');
    const paths = WRITTEN.map((file) => `-P "${campaign.folder}/${file}"`).join(' ');
    const inject = `inject=${calls}:error=${n % 2 ? 'EIO' : 'ENOSPC'}:when=${n}`;
    // Traced from outside (-D), a process keeps its number, and the names of its files are known before.
    const script = `exec strace -D -f -qq -o "${trace}" ${calls.includes('write') ? paths : ''} -e trace=${calls} -e ${inject} "$@"`;
    const end = await campaign.applyUnder(['sh', '-c', script, 'sh']);
    if (!(await readFile(trace, 'utf8')).includes('(INJECTED)')) break;
    visited += 1;
    await rm(trace);
    expectRefusal(end);
    await campaign.check(end);
    await campaign.finish();
  }
  return visited;
}

/** A line of a stack trace; problems of a manifest say `at` too. */
const STACK = /^\s+at .*(?:file|node):.*:\d+:\d+\)?$/m;

/** Done all the same, or told in words that the disk refuses. */
function expectRefusal({ code, stdout, stderr }: CliEnd): void {
  expect([0, 74], stderr).toContain(code);
  expect(`${stdout}\n${stderr}`).not.toMatch(STACK);
}

describe.skipIf(!hasStrace)('under strace', () => {
  it.concurrent.for(REFUSED)(
    'where the kernel refuses each %s once (scenario 6)',
    { timeout: 900_000 },
    async (calls, { onTestFinished: atEnd }) => {
      const started = performance.now();
      const visited = await refuseCalls(calls, atEnd);
      expect(visited).toBeGreaterThan(0);
      const ms = performance.now() - started;
      told(`${calls} refused once, under strace (scenario 6)`, { visited, failed: 0, ms });
    },
  );

  it.concurrent.for(['fdatasync', 'fsync', 'rename'])(
    'killed at each %s (scenarios 1, 8, 27)',
    { timeout: 600_000 },
    async (call, { onTestFinished: atEnd }) => {
      const started = performance.now();
      const visited = await sweepCalls(call, atEnd);
      expect(visited).toBeGreaterThan(0);
      told(`killed at each ${call}, under strace (scenarios 1, 8, 27)`, {
        visited,
        failed: 0,
        ms: performance.now() - started,
      });
    },
  );
});

it.skipIf(!hasTool('prlimit')).concurrent(
  'where no file may grow beyond a size (scenario 6)',
  { timeout: 600_000 },
  async ({ onTestFinished: atEnd }) => {
    const started = performance.now();
    const sizes = everyNth(
      Array.from({ length: 15 }, (_, index) => 400 + index * 300),
      1,
    );
    for (const size of sizes) {
      const campaign = await startRealCampaign(atEnd);
      const end = await campaign.applyUnder(['prlimit', `--fsize=${size}`]);
      expectRefusal(end);
      await campaign.check(end);
      await campaign.finish();
    }
    told('short writes under prlimit (scenario 6)', {
      visited: sizes.length,
      failed: 0,
      ms: performance.now() - started,
    });
  },
);
