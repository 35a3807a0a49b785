/**
 * Runs every shell block of README and docs (page-blocks.ts has the convention). Each page gets a folder with the
 * manifest of README, photos, a git repository, and a service that this test holds in the place of the production one.
 *
 * What would run the tests from inside the tests (`npm test` in README) is run by `.ci/run`, and only looked for here.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { commandInShell } from '../support/command-in-shell.ts';
import { CLI } from '../support/run-cli.ts';
import { type Block, blocksOf, PAGES, ROOT } from './page-blocks.ts';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { check: string };
};
const SHOWN = ['yaml', 'json', 'ts', 'text', 'console', 'csv'];
const KEY = 'a-key-of-the-docs';
const PHOTOS = ['photos/mug/1-front.jpg', 'photos/tote/1-front.jpg', 'refs/morning/1-linen.jpg'];
const run = promisify(execFile);

const elsewhere = PAGES.flatMap((page) =>
  blocksOf(page).flatMap(({ language, note, text }) =>
    ['sh', 'js', 'sql'].includes(language) && note !== undefined ? [{ page, runner: note, text }] : [],
  ),
);
const pagesToRun = PAGES.filter((page) => blocksOf(page).some(isRun));

function isRun({ language, note }: Block): boolean {
  return language === 'sh' && note === undefined;
}

/** Its commands are started as programs, those of the others run in this process. */
const OF_PROGRAMS = 'README.md';

/** The folder in which the blocks of one page run. */
async function pageFolder(page: string) {
  const service = await startBareService({ apiKey: KEY, pendingPolls: 0 });
  onTestFinished(() => service.close());
  const root = await mkdtemp(join(tmpdir(), 'campaign-docs-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, 'campaign');
  for (const name of ['bin', 'home', 'campaign']) await mkdir(join(root, name));
  if (page === OF_PROGRAMS) await writeProgram(join(root, 'bin', 'campaign'));
  else {
    const command = await commandInShell(join(root, 'bin'));
    onTestFinished(() => command.close());
  }
  await writeFile(join(root, 'home', '.visuals-key'), KEY);
  for (const [index, photo] of PHOTOS.entries()) {
    await mkdir(join(folder, photo, '..'), { recursive: true });
    const background = { r: 80 * index, g: 120, b: 200 };
    await sharp({ create: { width: 60, height: 80, channels: 3, background } }).toFile(join(folder, photo));
  }
  const env = {
    PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: join(root, 'home'),
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: 'Somebody',
    GIT_AUTHOR_EMAIL: 'somebody@example.com',
    GIT_COMMITTER_NAME: 'Somebody',
    GIT_COMMITTER_EMAIL: 'somebody@example.com',
    VISUALS_KEY: KEY,
  };
  const shell = async (script: string) => {
    const { stdout } = await run('sh', ['-euc', `exec 2>&1\n${script}`], { cwd: folder, env });
    return stdout;
  };
  const [manifest] = blocksOf('README.md').filter(({ note }) => note === 'campaign.yaml');
  const write = (name: string, text: string) =>
    writeFile(join(folder, name), text.replaceAll('https://visuals.example.com/api', service.url));
  await write('campaign.yaml', manifest?.text ?? '');
  await shell('git init --quiet\ngit add --all\ngit commit --quiet --message "A campaign"');
  return { shell, write };
}

async function writeProgram(file: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  await chmod(file, 0o755);
}

/** The lines that do not come, each after the one before it. */
function missingLines(expected: string, printed: string): string[] {
  let from = 0;
  return expected.split('\n').flatMap((line) => {
    const words = line.trim();
    const at = printed.indexOf(words, from);
    if (at < 0) return [words];
    from = at + words.length;
    return [];
  });
}

describe('the blocks of README and docs', () => {
  it.each(PAGES)('%s: each is of a known kind', (page) => {
    const wrong = blocksOf(page).filter(
      ({ language, note }) =>
        language !== 'sh' &&
        !(SHOWN.includes(language) && note === undefined) &&
        !(['yaml', 'js', 'sql'].includes(language) && note !== undefined) &&
        !(language === 'text' && note === 'output'),
    );
    expect(wrong.map(({ line, language, note }) => ({ line, language, note }))).toEqual([]);
  });

  it.each(elsewhere)('$runner runs a block of $page', ({ page, runner, text }) => {
    expect(existsSync(join(ROOT, runner))).toBe(true);
    const source = readFileSync(join(ROOT, runner), 'utf8');
    if (runner.endsWith('.test.ts')) expect(source).toContain(page);
    else expect(commandsOf(source)).toEqual(expect.arrayContaining(commandsOf(text)));
  });

  it.each(pagesToRun)('%s: they run, one after the other', async (page) => {
    const { shell, write } = await pageFolder(page);
    let printed = '';
    for (const block of blocksOf(page)) {
      const place = `${page}:${block.line}`;
      if (block.language === 'yaml' && block.note !== undefined) await write(block.note, block.text);
      if (isRun(block)) {
        printed = await shell(block.text).catch((error: unknown) => {
          throw new Error(`${place} failed: ${JSON.stringify(error, null, 2)}`);
        });
      }
      if (block.note === 'output')
        expect([place, missingLines(block.text, printed), printed]).toEqual([place, [], printed]);
    }
  });
});

/** Each command of a script, without comments; those of `npm ci && …` and of `npm run check` one by one. */
function commandsOf(script: string): string[] {
  const commands = script.split('\n').flatMap((line) => line.replace(/ +#.*$/, '').split(' && '));
  return commands.flatMap((command) =>
    command === 'npm run check' ? scripts.check.split(' && ') : [command],
  );
}
