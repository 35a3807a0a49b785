import { execFile } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CampaignFolder, campaignFolder, SINGLE } from './small-campaign.ts';

/** More than fits into a string, into a buffer that is read at once, and into what a command may take. */
const HUGE = 2_300_000_000;

let campaign: CampaignFolder;

beforeAll(async () => {
  let remove: () => unknown = () => undefined;
  campaign = await campaignFolder(SINGLE, undefined, (end) => void (remove = end as typeof remove));
  expect(await campaign.run(['apply', 'm.yaml', '--env', 'emulator'])).toMatchObject({ code: 0 });
  expect(await campaign.run(['plan', 'm.yaml', '--env', 'emulator', '--out', 'saved'])).toMatchObject({
    code: 0,
  });
  return () => remove();
});

const STATE = '.campaign/small.emulator.state.jsonl';

/** A file that became huge, as holes that take no room; afterwards it is as before. */
async function withHuge(file: string, args: readonly string[]) {
  const path = join(campaign.folder, file);
  const before = await campaign.read(file);
  await truncate(path, HUGE);
  try {
    const [verb = '', ...rest] = args;
    return await campaign.run([verb, ...rest, '--env', 'emulator']);
  } finally {
    await campaign.write(file, before);
  }
}

describe('a file of 2.3 GB', () => {
  it.each([
    ['status', 'm.yaml'],
    ['apply', 'm.yaml'],
    ['state', 'check', 'm.yaml'],
  ])('as state is damage, by its line: %s %s', async (...args) => {
    const { code, stderr } = await withHuge(STATE, args);
    expect([code, stderr]).toEqual([
      76,
      expect.stringMatching(
        /\[state-damaged\]\n.*, line \d+ \(byte \d+\): it has more than 256 MiB, and no line that campaign writes is that long\. /,
      ),
    ]);
  });

  it('as lock of the state counts by its beginning', async () => {
    expect(await withHuge(`${STATE}.lock`, ['apply', 'm.yaml'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('as saved plan is none', async () => {
    expect(await withHuge('saved', ['apply', 'm.yaml', '--plan', 'saved'])).toMatchObject({
      code: 64,
      stderr: 'error: No saved plan [no-saved-plan]\n  saved has more than 256 MiB.\n\n',
    });
  });

  it('as index of the output folder, or as decisions, is told in words', async () => {
    await campaign.run(['approve', 'm.yaml', '--env', 'emulator', 'media/*']);
    const decided = await withHuge('.campaign/small.emulator.decisions.yaml', ['status', 'm.yaml']);
    expect([decided.code, decided.stderr]).toEqual([65, expect.stringContaining('File is too large')]);
    const index = (await campaign.files()).find((file) => file.endsWith('index.json')) ?? '';
    expect(await withHuge(index, ['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  });
});

it('a saved plan in a pipe that nobody writes to is waited for once, and not beyond the deadline', async () => {
  await promisify(execFile)('mkfifo', [join(campaign.folder, 'pipe')]);
  const args = ['apply', 'm.yaml', '--env', 'emulator', '--plan', 'pipe', '--deadline', '1s'];
  expect(await campaign.run(args)).toMatchObject({
    code: 64,
    stderr:
      'error: No saved plan [no-saved-plan]\n  pipe is a pipe that nobody opened to write to it within 1 second.\n\n',
  });
});
