/** `npm run pictures` writes what these tests compare: docs/pictures/, made from what the program shows on a terminal. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Terminal } from '@xterm/headless';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { copyExample } from '../support/example.ts';
import { terminalDuringRun } from '../support/live-picture.ts';
import { startOnScreen } from '../support/pty.ts';
import { terminalSvg } from '../support/terminal-svg.ts';
import { blocksOf, ROOT } from './page-blocks.ts';

/** Each of its posts is made at once, but for one. */
const ONE_FAILS = `description: One post fails.
switches:
  generation: { image: 0ms, carousel: 0ms, video: 0ms }
orders:
  - { on: generation, when: { nth: 2 }, do: { fault: generation, how: fails, message: The photo shows no product. } }
`;

/** The terminal after a command has ended. */
async function shown({ folder }: { readonly folder: string }, ...args: readonly string[]): Promise<Terminal> {
  const run = startOnScreen(args, { cwd: folder }, { columns: 80, rows: 100 });
  await run.end();
  return run.terminal;
}

async function expectPicture(
  name: string,
  terminal: Terminal,
  options: Parameters<typeof terminalSvg>[1],
): Promise<void> {
  const file = join(ROOT, 'docs', 'pictures', `${name}.svg`);
  const svg = terminalSvg(terminal, options);
  await expect(svg, `docs/pictures/${name}.svg is stale: run \`npm run pictures\``).toMatchFileSnapshot(file);
}

it('live-block.svg is what `npm run pictures` makes of the middle of a run', async () => {
  const title = 'campaign apply on a terminal: rows for posts, requests, what is waited for, files and cost';
  await expectPicture('live-block', await terminalDuringRun(107_000), { title, typed: 'campaign apply' });
});

it('plan.svg and validate.svg are what `npm run pictures` makes of the matrix example', async () => {
  const copy = await copyExample('matrix');
  onTestFinished(() => copy.remove());
  const plan = 'campaign plan: posts grouped by post plan, and what they come to';
  await expectPicture('plan', await shown(copy, 'plan'), { title: plan, typed: 'campaign plan' });
  const manifest = join(copy.folder, 'campaign.yaml');
  const text = await readFile(manifest, 'utf8');
  await writeFile(
    manifest,
    text
      .replace('concept: morning\n', 'concept: mornin\n')
      .replace('aspect_ratio: "9:16"', 'aspect_ratoi: "9:16"'),
  );
  const title = 'campaign validate: each mistake with its line, and what may have been meant';
  await expectPicture('validate', await shown(copy, 'validate'), { title, typed: 'campaign validate' });
});

it('summary.svg and status.svg are what `npm run pictures` makes of a run in which one post fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-pictures-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeReadmeCampaign(folder);
  await writeFile(join(folder, 'one-fails.yaml'), ONE_FAILS);
  const apply = ['apply', '--env', 'emulator'];
  const applied = await shown({ folder }, ...apply, '--concurrency', '1', '--profile', 'one-fails.yaml');
  const summary = 'The end of campaign apply: what failed and why, the sums, and what to do next';
  const typed = ['campaign', ...apply].join(' ');
  await expectPicture('summary', applied, { title: summary, typed, from: /^error/ });
  const title = 'campaign status: how many posts of each post plan are done, and what is open';
  const args = ['status', '--env', 'emulator'];
  await expectPicture('status', await shown({ folder }, ...args), {
    title,
    typed: ['campaign', ...args].join(' '),
  });
});

/** The manifest of README, with a photo for each of its folders. */
async function writeReadmeCampaign(folder: string): Promise<void> {
  const manifest = blocksOf('README.md').find(({ note }) => note === 'campaign.yaml');
  await writeFile(join(folder, 'campaign.yaml'), manifest?.text ?? '');
  for (const [index, photo] of ['photos/mug', 'photos/tote', 'refs/morning'].entries()) {
    await mkdir(join(folder, photo), { recursive: true });
    const background = { r: 80 * index, g: 120, b: 200 };
    const picture = sharp({ create: { width: 60, height: 80, channels: 3, background } });
    await picture.toFile(join(folder, photo, '1-front.jpg'));
  }
}
