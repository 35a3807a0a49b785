/** A state whose recorded files are elsewhere: anybody can edit it who can open a pull request. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { editedState } from '../support/edited-state.ts';
import { startBareService } from '../support/bare-service.ts';
import {
  API_KEY,
  type CampaignFolder,
  campaignFolder,
  PNG,
  SINGLE,
  STATE,
  untilTestEnds,
} from './small-campaign.ts';

const RESULT = 'out/small/default/hero/kitchen-image.png';
const KEY = { CAMPAIGN_API_KEY: API_KEY };

let service: { readonly url: string };
let campaign: CampaignFolder;
/** A folder beside that of the campaign, with a file that is as the state says, and one that is not. */
let outside: string;
let git: string[];

beforeEach(async () => {
  service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  campaign = await campaignFolder(SINGLE, service);
  expect((await campaign.run(['apply', 'm.yaml'])).code).toBe(0);
  outside = await mkdtemp(join(tmpdir(), 'campaign-outside-'));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  await writeFile(join(outside, 'same.png'), PNG);
  await writeFile(join(outside, 'own.png'), 'nobody else has this');
  await symlink(outside, join(campaign.folder, 'linked'));
  execFileSync('git', ['init', '--quiet', campaign.folder]);
  git = await readdir(join(campaign.folder, '.git'));
  // Only what the state says is known from now on: `.campaign/` is of another machine.
  await rm(join(campaign.folder, '.campaign'), { recursive: true });
});

/** Lets the state say that the result is there, and gives what is outside before and after a command. */
async function pointTo(path: string): Promise<void> {
  const text = await campaign.read(STATE);
  await campaign.write(
    STATE,
    editedState(text, (line) => line.replaceAll(RESULT, path)),
  );
}

const places = (): readonly (readonly [string, string])[] => [
  ['an absolute path', join(outside, 'same.png')],
  ['an absolute path of other bytes', join(outside, 'own.png')],
  ['a path with `..`', `../${basename(outside)}/same.png`],
  ['a path with `..` further down', `out/small/../../../${basename(outside)}/own.png`],
  ['a link in the folder', 'linked/same.png'],
  ['what git keeps', '.git/config'],
];

async function asItWas(): Promise<void> {
  expect((await readdir(outside)).sort()).toEqual(['own.png', 'same.png']);
  expect(await readFile(join(outside, 'same.png'))).toEqual(PNG);
  expect(await readFile(join(outside, 'own.png'), 'utf8')).toBe('nobody else has this');
  expect(await readdir(join(campaign.folder, '.git'))).toEqual(git);
  expect(dirname(outside)).toBe(dirname(campaign.folder));
}

describe('a file that the state has elsewhere', () => {
  it.each([0, 1, 2, 3, 4, 5])('is not renamed, replaced, read, shown or deleted (%i)', async (index) => {
    const [, path] = places()[index] ?? ['', ''];
    await pointTo(path);
    // The name of every file changes.
    await campaign.write('m.yaml', SINGLE.replace('hero:', 'banner:'));
    const renamed = await campaign.run(['apply', 'm.yaml']);
    expect(renamed).toMatchObject({ code: 0 });
    expect(renamed.stderr).toContain('The state names files that campaign does not touch');
    await asItWas();
    // A new take takes the name of the older one.
    const again = await campaign.run(['apply', 'm.yaml', '--replace', 'media/banner/kitchen', '--yes']);
    expect(again).toMatchObject({ code: 0 });
    await asItWas();
    const verified = await campaign.run(['outputs', 'm.yaml', '--verify', '--json']);
    const rows = JSON.parse(verified.stdout) as { path: string; status: string; problem?: object }[];
    expect(rows.find((row) => row.path === path)).toMatchObject({ status: 'unreadable', problem: {} });
    expect(await campaign.run(['outputs', 'm.yaml', '--fetch'])).toMatchObject({ code: 1 });
    await asItWas();
    expect(await campaign.run(['report', 'm.yaml', '--out', 'r.zip'])).toMatchObject({ code: 0 });
    const archive = await readFile(join(campaign.folder, 'r.zip'));
    expect(archive.includes('nobody else has this')).toBe(false);
    expect(await campaign.run(['destroy', 'm.yaml', '--files', '--yes'])).toMatchObject({ code: 0 });
    await asItWas();
  });

  it('is told, too, where a folder of the results became a link that leads out of it', async () => {
    const results = join(campaign.folder, dirname(RESULT));
    await rename(results, join(outside, 'hero'));
    await symlink(join(outside, 'hero'), results);
    await campaign.write('m.yaml', SINGLE.replace('hero:', 'banner:'));
    const renamed = await campaign.run(['apply', 'm.yaml']);
    expect(renamed).toMatchObject({ code: 0 });
    expect(renamed.stderr).toContain(`The state names files that campaign does not touch: ${RESULT}.`);
    const verified = await campaign.run(['outputs', 'm.yaml', '--verify']);
    expect(verified).toMatchObject({ code: 1 });
    expect(verified.stdout).toContain('Its path leads out of the folder of the manifest');
    // It would refuse this file as well.
    expect(verified.stdout).not.toContain('--fetch');
    expect(await readFile(join(outside, 'hero', basename(RESULT)))).toEqual(PNG);
  });

  it('is no place for what is still to be downloaded', async () => {
    const text = await campaign.read(STATE);
    const lines = text
      .split('\n')
      .filter((line) => !line.includes('"downloaded"') && !line.includes('run-finished'));
    const edit = (line: string) => line.replaceAll('hero', '../../../../x');
    const numbered = lines.map((line, index) => line.replace(/^\{"seq":\d+/, `{"seq":${index}`));
    await campaign.write(STATE, editedState(numbered.join('\n'), edit));
    await campaign.run(['wait', 'm.yaml']);
    expect(await readdir(dirname(campaign.folder))).not.toContain('x');
    await asItWas();
  });

  it('is taken as it is where somebody has allowed it', async () => {
    const path = `../${basename(outside)}/same.png`;
    await pointTo(path);
    const flags = ['m.yaml', '--allow-outside'];
    expect(await campaign.run(['outputs', ...flags, '--verify'])).toMatchObject({ code: 0 });
    expect(await campaign.run(['apply', ...flags], KEY)).toMatchObject({ code: 0 });
    expect(await readdir(outside)).toEqual(['own.png']);
    expect(await campaign.read(RESULT)).toBe(PNG.toString());
  });
});

describe('an output folder outside of the folder of the manifest', () => {
  it.each(['relative', 'absolute'])('works as any other where it is allowed (%s)', async (how) => {
    const dir = how === 'absolute' ? outside : `../${basename(outside)}`;
    await campaign.write(
      'n.yaml',
      `${SINGLE.replace('name: small', 'name: other')}outputs: { dir: ${dir} }\n`,
    );
    const run = (...args: string[]) => campaign.run([...args, 'n.yaml', '--allow-outside'], KEY);
    expect((await campaign.run(['apply', 'n.yaml'], KEY)).code).toBe(65);
    expect((await run('apply')).code).toBe(0);
    expect(await readdir(outside)).toContain('hero');
    expect(await run('outputs', '--verify')).toMatchObject({ code: 0 });
    await rm(join(outside, 'hero'), { recursive: true });
    expect(await run('outputs', '--fetch')).toMatchObject({ code: 0 });
    expect(await run('destroy', '--files', '--yes')).toMatchObject({ code: 0 });
    expect(await readdir(join(outside, 'hero'))).toEqual([]);
  });
});
