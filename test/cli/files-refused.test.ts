/** Files and folders that the system refuses, under every command: an error that names them, never "a bug". */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { everyNth } from '../sweep/stride.ts';
import { runAsNobody } from '../support/run-as-nobody.ts';
import { campaignFolder, PNG, SINGLE } from './small-campaign.ts';

const STATE = '.campaign/small.emulator.state.jsonl';
const run = promisify(execFile);

const COMMANDS: readonly (readonly string[])[] = [
  ['validate', 'm.yaml'],
  ['plan', 'm.yaml'],
  ['plan', 'm.yaml', '--json'],
  ['apply', 'm.yaml'],
  ['status', 'm.yaml'],
  ['wait', 'm.yaml'],
  ['outputs', 'm.yaml'],
  ['refresh', 'm.yaml'],
  ['doctor', 'm.yaml'],
  ['resolve', 'm.yaml', 'product/tote', '--skip'],
  ['history', 'm.yaml'],
  ['state', 'list', 'm.yaml'],
  ['state', 'show', 'm.yaml', 'product/tote'],
  ['state', 'accept', 'm.yaml', 'media/hero/kitchen'],
  ['state', 'rm', 'm.yaml', 'media/hero/kitchen', '--yes'],
  ['state', 'check', 'm.yaml'],
  ['state', 'export', 'm.yaml'],
  ['state', 'new', 'm.yaml'],
  ['state', 'use', 'm.yaml', STATE],
  ['graph', 'm.yaml'],
];

/** They do without photos, and without what is not theirs. */
const NEED_NO_FILES = new Set<string | undefined>([
  'graph',
  'outputs',
  'wait',
  'refresh',
  'history',
  'state',
]);

/** What is done to a campaign that was applied, and the codes that its commands may end with. */
const REFUSED: readonly (readonly [string, (folder: string) => Promise<unknown>, readonly number[]])[] = [
  ['a manifest without permission', (at) => chmod(join(at, 'm.yaml'), 0), [65]],
  [
    'a pipe as manifest',
    async (at) => {
      await rm(join(at, 'm.yaml'));
      await run('mkfifo', [join(at, 'm.yaml')]);
    },
    [65],
  ],
  [
    'a manifest that never ends',
    async (at) => {
      await rm(join(at, 'm.yaml'));
      await symlink('/dev/zero', join(at, 'm.yaml'));
    },
    [65],
  ],
  ['a photo without permission', (at) => chmod(join(at, 'tote.png'), 0), [65]],
  ['a folder of photos without permission', (at) => chmod(join(at, 'photos/mug'), 0), [65]],
  ['a folder that nobody may look into', (at) => chmod(at, 0), [65]],
  ['a read-only folder', (at) => chmod(at, 0o555), [0, 64, 74]],
  [
    'a read-only folder without .campaign',
    async (at) => {
      await rm(join(at, '.campaign'), { recursive: true });
      await chmod(at, 0o555);
    },
    [0, 64, 74],
  ],
  ['a state without permission', (at) => chmod(join(at, STATE), 0), [0, 74]],
  ['a read-only .campaign', (at) => chmod(join(at, '.campaign'), 0o555), [0, 64, 74]],
  ['a .campaign without permission', (at) => chmod(join(at, '.campaign'), 0), [0, 74]],
  [
    'a file in the place of .campaign',
    async (at) => {
      await rename(join(at, '.campaign'), join(at, 'elsewhere'));
      await writeFile(join(at, '.campaign'), 'x');
    },
    [0, 76],
  ],
  [
    'records of the emulator without permission',
    (at) => chmod(join(at, '.campaign/small.emulator.data'), 0),
    [0, 64, 74, 76],
  ],
  ['results without permission', (at) => chmod(join(at, 'out'), 0), [0, 64, 74]],
];

async function appliedCampaign() {
  const campaign = await campaignFolder(
    SINGLE.replace('products:', "product_folders: ['photos/*']\nproducts:"),
  );
  await campaign.write('photos/mug/a.png', PNG);
  const { code, output } = await runAsNobody(['apply', 'm.yaml', '--env', 'emulator'], campaign);
  expect([code, code === 0 ? '' : output]).toEqual([0, '']);
  return campaign.folder;
}

/** A copy with the same owner and modes; gone when the test ends, whatever its modes are by then. */
async function copyOf(folder: string, name: string): Promise<string> {
  const copy = join(tmpdir(), `campaign-refused-${process.pid}-${name}`);
  onTestFinished(async () => {
    await run('chmod', ['-R', 'u+rwx', copy]);
    await rm(copy, { recursive: true });
  });
  await cp(folder, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return copy;
}

/** What a flag may name; all of them in `npm run test:sweep`. */
const NAMED: readonly (readonly string[])[] = [
  ['plan', 'm.yaml', '--out', 'gone/p.json'],
  ['plan', 'm.yaml', '--out', 'shut/p.json'],
  ['apply', 'm.yaml', '--trace', 'gone/t.har'],
  ['apply', 'm.yaml', '--trace', 'shut/t.har'],
  ['apply', 'm.yaml', '--plan', 'shut'],
  ['apply', 'm.yaml', '--profile', 'shut/p.yaml'],
  ['plan', 'm.yaml', '--var-file', 'shut/v.yaml'],
  ['plan', 'm.yaml', '--var-file', 'shut'],
  ['plan', 'm.yaml', '--state', 'shut/s.jsonl'],
  ['apply', 'm.yaml', '--state', 'shut/s.jsonl'],
  ['apply', 'm.yaml', '--state', 'm.yaml/s.jsonl'],
  ['emulator', '--data', 'shut/data'],
  ['emulator', '--data', 'm.yaml'],
  ['emulator', '--profile', 'shut'],
  ['state', 'check', '--state', 'shut/s.jsonl', 'm.yaml'],
];

describe('what the system refuses', () => {
  it('is no bug under any command', { timeout: 600_000 }, async () => {
    const applied = await appliedCampaign();
    const limit = pLimit(4);
    const cells = REFUSED.flatMap(([what, refuse, codes]) =>
      COMMANDS.map((command) => ({ what, refuse, codes, command })),
    );
    // Every command and every refusal; all of their pairs in `npm run test:sweep`.
    const ends = everyNth(cells, 16).map(({ what, refuse, codes, command }, index) =>
      limit(async () => {
        const folder = await copyOf(applied, String(index));
        await refuse(folder);
        const env = command[0] === 'validate' || command[0] === 'graph' ? [] : ['--env', 'emulator'];
        const { code, output } = await runAsNobody([...command, ...env], { folder });
        const isSaid = code === 0 || /error: |"severity":"error"|^ {2}x /m.test(output);
        const isWrong = !codes.includes(code ?? -1) && !(code === 0 && NEED_NO_FILES.has(command[0]));
        return isWrong || !isSaid || /\bbug\b/.test(output) ? [{ what, command, code, output }] : [];
      }),
    );
    expect((await Promise.all(ends)).flat()).toEqual([]);
  });

  it('is not taken for a result that is missing', async () => {
    const folder = await copyOf(await appliedCampaign(), 'verify');
    await chmod(join(folder, 'out'), 0);
    const { code, output } = await runAsNobody(['outputs', 'm.yaml', '--verify', '--env', 'emulator'], {
      folder,
    });
    await chmod(join(folder, 'out'), 0o755);
    expect(code).toBe(1);
    expect(output).toContain('kitchen-image.jpg  cannot be read as a file\n');
  });

  it.each(everyNth(NAMED.map((args) => [args] as const)))(
    'is no bug where a flag names it: %j',
    async (args) => {
      const campaign = await campaignFolder(SINGLE);
      await mkdir(join(campaign.folder, 'shut'));
      await chmod(join(campaign.folder, 'shut'), 0o500);
      const env = args[0] === 'emulator' ? [] : ['--env', 'emulator'];
      const { code, output } = await runAsNobody([...args, ...env], campaign);
      expect(output).not.toMatch(/\bbug\b/);
      expect([0, 64, 65, 74, 76, 78]).toContain(code);
      expect(await readdir(join(campaign.folder, 'shut'))).toEqual([]);
    },
  );
});
