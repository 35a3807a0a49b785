/** The quickstart on each of the days that come with campaign, and how it is brought to its end afterwards. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { StateRow } from '../../src/views/list-state.ts';
import { copyExample, type ExampleCopy } from '../support/example.ts';
import { checkInvariants, resolveUnknowns, stateRows } from '../support/resolve-unknowns.ts';
import { type CliEnd, runCli } from '../support/run-cli.ts';
import { everyNth } from '../sweep/stride.ts';
import { campaignFolder, SMALL } from './small-campaign.ts';

const MOST_RUNS = 5;

interface Day {
  readonly profile: string;
  /** How the first run may end. */
  readonly exits: readonly number[];
  /** What it says on the way. */
  readonly says: RegExp;
}

const DAYS: readonly Day[] = [
  { profile: 'calm', exits: [0], says: /Apply complete: 18 created, 8 files downloaded\./ },
  { profile: 'throttled', exits: [0, 3], says: /The service asks to slow down: .* Too many requests/ },
  { profile: 'expiring-tokens', exits: [0], says: /Apply complete: 18 created, 8 files downloaded\./ },
  {
    profile: 'quota',
    exits: [3],
    says: /The quota of this hour is used up; come back after [^]*\nThe service has asked to be left alone: run again after /,
  },
  // What is tried while the service is gone may fail, or never be answered; what was paid is waited for.
  { profile: 'outage', exits: [0, 1, 4], says: /The service (failed|did not answer|could not be reached)/ },
  { profile: 'flaky', exits: [0, 1, 3, 4], says: /Apply (complete|incomplete|failed): / },
  // A token endpoint that leads elsewhere ends the run: 78.
  { profile: 'garbage', exits: [0, 1, 3, 4, 78], says: /Apply (complete|incomplete|failed): / },
];

/** Tried apart from the others. */
const APART = ['bad-generation', 'slow'];

async function quickstart({ onTestFinished }: TestContext): Promise<ExampleCopy> {
  const example = await copyExample('quickstart', { photos: 'stand-ins' });
  onTestFinished(() => example.remove());
  return example;
}

function apply({ folder }: ExampleCopy, more: readonly string[] = []): Promise<CliEnd> {
  return runCli(['apply', '--env', 'emulator', ...more], { cwd: folder });
}

it('every profile has its day here', () => {
  const names = readdirSync('profiles').map((file) => basename(file, '.yaml'));
  expect([...DAYS.map(({ profile }) => profile), ...APART].sort()).toEqual(names.sort());
});

// Side by side: on most of these days a run does little but wait.
describe.concurrent('the quickstart', { timeout: 400_000 }, () => {
  it.for(everyNth(DAYS, 1))('on the day $profile', async ({ profile, exits, says }, test) => {
    const example = await quickstart(test);
    const { code, stdout, stderr } = await apply(example, ['--profile', profile]);
    console.log(`${profile}: exit ${code}`);
    expect(exits).toContain(code);
    expect(stderr + stdout).toMatch(says);
    expect(stderr).not.toMatch(/\.js:\d+|node:internal/);
    await checkInvariants(example);
    await finish(example);
  });

  it('on the day bad-generation, but for what will never be finished', async (test) => {
    const example = await quickstart(test);
    const end = await apply(example, ['--profile', 'bad-generation', '--deadline', '30s']);
    expect(end.code).toBe(1);
    expect(end.stderr).toContain('failed: The photo shows no product.');
    expect(end.stderr).toContain(
      'every run rechecks it. --retry-failed rechecks it too, and then requests another one',
    );
    // The fifth post is stuck for ever. It was paid, so every run asks for it.
    for (let run = 1; run < MOST_RUNS; run += 1) {
      const { code } = await apply(example, ['--retry-failed', '--deadline', '10s']);
      expect([1, 3]).toContain(code);
      const open = (await stateRows(example)).filter((row) => row.status !== 'done' && !isOlderTake(row));
      if (code === 1 || open.length > 1) continue;
      expect(open).toMatchObject([{ kind: 'media', status: 'pending' }]);
      return;
    }
    expect.unreachable(`not finished in ${MOST_RUNS} runs`);
  });

  it('on the day slow, as a campaign of two posts', async ({ onTestFinished }) => {
    const campaign = await campaignFolder(SMALL, undefined, onTestFinished);
    const end = await campaign.run(['apply', 'm.yaml', '--env', 'emulator', '--profile', 'slow']);
    expect(end).toMatchObject({ code: 0 });
    expect(end.stdout).toContain('Apply complete: 5 created, 4 files downloaded.');
  });
});

/** One that a retry or a replacement has left behind. */
function isOlderTake({ address }: StateRow): boolean {
  return /^media\/.*@\d+$/.test(address);
}

/** On calm days, unknown creates resolved from the ledger. */
async function finish(example: ExampleCopy): Promise<void> {
  for (let run = 1; run < MOST_RUNS; run += 1) {
    await resolveUnknowns(example);
    const { code } = await apply(example, ['--profile', 'calm']);
    await checkInvariants(example);
    if (code === 0) break;
  }
  const rows = await stateRows(example);
  expect(rows.filter(({ status }) => status !== 'done')).toEqual([]);
  expect(rows.filter(({ kind }) => kind === 'media')).toHaveLength(6);
  expect((await apply(example)).stdout).toContain('No changes.');
}
