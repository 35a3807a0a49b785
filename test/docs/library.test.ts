/** The program of docs/library.md, as somebody runs it who has installed the package. */
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyExample } from '../support/example.ts';
import { blocksOf, ROOT } from './page-blocks.ts';

const PAGE = 'docs/library.md';
const run = promisify(execFile);

/** The quickstart with the program beside its manifest. */
async function quickstart(): Promise<string> {
  const program = blocksOf(PAGE).find(({ language }) => language === 'js');
  const example = await copyExample('quickstart', { photos: 'stand-ins' });
  onTestFinished(() => example.remove());
  await mkdir(join(example.folder, 'node_modules'));
  await symlink(ROOT, join(example.folder, 'node_modules', 'campaign-runner'));
  await writeFile(join(example.folder, 'program.mjs'), program?.text ?? '');
  return example.folder;
}

describe(`the program of ${PAGE}`, () => {
  it('plans and applies the quickstart in process, and prints the events', async () => {
    const folder = await quickstart();
    const apply = async () => {
      const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder });
      const [first = '', ...lines] = stdout.trimEnd().split('\n');
      const events = lines.slice(0, -1).map((line) => JSON.parse(line) as { type: string; end?: string });
      return { first, last: lines.at(-1), events };
    };
    const { first, last, events } = await apply();
    expect(first).toBe('6 posts would be requested.');
    expect(last).toBe('18 created, 8 files downloaded.');
    expect(events.map(({ type }) => type)).toEqual([
      'run-started',
      'planned',
      ...events.slice(2, -1).map(({ type }) => type),
      'run-finished',
    ]);
    expect(new Set(events.slice(2, -1).map(({ type }) => type))).toEqual(
      new Set(['node-started', 'node-waiting', 'node-finished']),
    );
    expect(events.at(-1)).toMatchObject({ outcome: 'succeeded', exit_code: 0 });

    const again = await apply();
    expect([again.first, again.last]).toEqual([
      '0 posts would be requested.',
      '0 created, 0 files downloaded.',
    ]);
    expect(again.events.map(({ type }) => type)).toEqual(['run-started', 'run-finished']);
  });

  it('is typed', async () => {
    const folder = await quickstart();
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--checkJs', '--strict', '--noEmit', '--target', 'es2023', '--module', 'nodenext'];
    const types = ['--typeRoots', join(ROOT, 'node_modules', '@types'), '--types', 'node'];
    const check = () => run(process.execPath, [tsc, ...flags, ...types, 'program.mjs'], { cwd: folder });
    await check();
    const wrong =
      "import { loadCampaign } from 'campaign-runner';\nawait loadCampaign('m.yaml', { environment: 1 });\n";
    await writeFile(join(folder, 'program.mjs'), wrong);
    await expect(check()).rejects.toMatchObject({
      stdout: expect.stringContaining("Type 'number' is not assignable to type 'string'") as string,
    });
  });
});
