import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunState } from '../../../src/model/run-state.ts';
import { findAbandoned } from '../../../src/store/file/abandoned.ts';
import { createGit } from '../../../src/store/file/ask-git.ts';
import { elsewhere } from '../../../src/store/file/absent-problem.ts';
import { witnessesOf } from '../../../src/store/file/witnesses.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import { EVENTS, IDENTITY, linesOf } from './sample-log.ts';
import { makePlace } from './state-place.ts';

const RENAMED = { ...IDENTITY, campaign: 'summer' };

/** Nothing but this is beside it. */
let folder: string;

beforeEach(async () => {
  folder = path.join((await makePlace()).folder, 'campaigns');
});

afterEach(() => fs.rm(path.dirname(folder), { recursive: true, force: true }));

const at = (name: string) => path.join(folder, name);
const put = async (name: string, content = linesOf(EVENTS).join('')) => {
  await fs.mkdir(path.dirname(at(name)), { recursive: true });
  await fs.writeFile(at(name), content);
};
const hasTote = ({ objects }: RunState) => objects.has('product/tote');
const found = async (manifest: string, asks = hasTote) => {
  const git = createGit(process.env);
  const around = await findAbandoned({ manifest: at(manifest), identity: RENAMED, asks, git });
  expect(around.unasked).toBeUndefined();
  return around.found.map(({ file }) => path.relative(folder, file));
};

it('a state whose manifest is gone is one, if it has what is asked for at the same service', async () => {
  await put('spring.stage.state.jsonl');
  await put(
    'elsewhere.stage.state.jsonl',
    linesOf(EVENTS, { identity: { ...IDENTITY, baseUrl: 'b' } }).join(''),
  );
  await put('nobody-knows-whose.state.jsonl');
  await put('damaged.stage.state.jsonl', linesOf(EVENTS).join('').replace('product/tote', 'product/toto'));
  await put('none.stage.state.jsonl', 'what\n');
  expect(await found('summer.yaml')).toEqual(['spring.stage.state.jsonl']);
  expect(await found('summer.yaml', () => false)).toEqual([]);
  // The manifest itself claims it no more: it has another name.
  await put('spring.yaml', '');
  expect(await found('spring.yaml')).toEqual(['spring.stage.state.jsonl']);
  expect(await found('summer.yaml')).toEqual([]);
  await fs.rename(at('spring.yaml'), at('spring.yml'));
  expect(await found('summer.yaml')).toEqual([]);
});

it('one above the folder of the manifest is found, in it or beside it, and in a repository one in any folder that was added to it', async () => {
  await put('spring.stage.state.jsonl');
  await put('brands/a/spring.stage.state.jsonl');
  await put('brands/b/spring.yaml', '');
  await put('far/away/spring.stage.state.jsonl');
  const near = ['spring.stage.state.jsonl', 'brands/a/spring.stage.state.jsonl'];
  expect(await found('brands/b/spring.yaml')).toEqual(near);
  expect(await found('brands/spring.yaml')).toEqual(near);
  expect(await found('brands/b/deep/spring.yaml')).toEqual(['spring.stage.state.jsonl']);
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: folder });
  await git('init', '--quiet');
  expect(await found('brands/b/spring.yaml')).toEqual(near);
  await git('add', '--all');
  const all = [...near, 'far/away/spring.stage.state.jsonl'];
  expect(await found('brands/b/spring.yaml')).toEqual(all);
  expect((await found('brands/absent/spring.yaml')).toSorted()).toEqual(all.toSorted());
  // What git does not tell is not taken for nothing.
  await put('.git/index', 'damaged');
  const asking = { manifest: at('brands/b/spring.yaml'), identity: RENAMED, asks: hasTote };
  const around = await findAbandoned({ ...asking, git: createGit(process.env) });
  expect(around).toMatchObject({ found: [{}, {}], unasked: { type: 'unasked' } });
});

it('is asked about where no other state is known, and not of the emulator', async () => {
  await put('spring.stage.state.jsonl');
  const witnesses = witnessesOf(at('summer.yaml'), { env: {}, target: 'summer.yaml', asks: hasTote });
  const paths = statePaths(at('summer.stage.state.jsonl'));
  const [neighbour] = (await witnesses.neighbours(paths, RENAMED)).found;
  if (!neighbour) throw new Error('nothing was found');
  expect(elsewhere(paths.file, { neighbour, target: 'summer.yaml' }).detail).toBe(
    `${paths.file} does not exist, and ${at('spring.stage.state.jsonl')} is the state of spring-launch, stage, ` +
      'https://stage.visuals.example.com/api: its manifest is not there any more, and it has posts that this one asks for, or ' +
      'posts of the same photos. A campaign that was renamed with its manifest, or a manifest that was moved to another folder, would make ' +
      `them a second time. \`campaign state adopt summer.yaml ${at('spring.stage.state.jsonl')}\` makes it the state of this ` +
      'manifest and environment; to leave it where it is, name it with --state. If this is to be a campaign of its own, ' +
      '`campaign state new summer.yaml` begins a new state.',
  );
  expect(await witnesses.neighbours(paths, { ...RENAMED, baseUrl: 'emulator' })).toEqual({ found: [] });
  const askingNothing = witnessesOf(at('summer.yaml'), { env: {}, target: '' });
  expect(await askingNothing.neighbours(paths, RENAMED)).toEqual({ found: [] });
});
