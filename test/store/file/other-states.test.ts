/** States that were left behind, on the disk and in git. */
import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EMULATOR } from '../../../src/model/emulator.ts';
import type { ManifestsIn } from '../../../src/store/file/other-states.ts';
import { witnessesOf } from '../../../src/store/file/witnesses.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import type { StateIdentity } from '../../../src/store/store.ts';
import { AT, EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const ENV = { PATH: process.env['PATH'] };
const OTHER: StateIdentity = { ...IDENTITY, campaign: 'winter' };

interface Looking {
  readonly env?: NodeJS.ProcessEnv;
  readonly manifestsIn?: ManifestsIn;
  readonly identity?: StateIdentity;
  readonly manifest?: string;
}

function witnesses({ env = ENV, manifestsIn = () => [], manifest }: Looking = {}) {
  return witnessesOf(manifest ?? path.join(folder, 'campaign.yaml'), { env, manifestsIn });
}

/** The names of what stands in the way, the warnings, and whether git did not answer. */
async function found({ identity = IDENTITY, ...looking }: Looking = {}) {
  const { found: all, warnings, unasked } = await witnesses(looking).others(statePaths(file), identity);
  return { names: all.map((one) => path.relative(folder, one.file)), warnings, unasked };
}

const NOTHING = { names: [], warnings: [], unasked: undefined };

const put = async (name: string, lines: readonly string[]) => {
  await fs.mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await fs.writeFile(path.join(folder, name), lines.join(''));
};

describe('in the folder', () => {
  it('a state of this service stands in the way, under the name that it was given last', async () => {
    // Longer than what is searched at once, so that the word is found behind it.
    const long = { type: 'learned', at: AT, name: 'a', value: 'x'.repeat(1 << 20) } as const;
    const bound = { campaign: 'autumn', environment: 'e', base_url: IDENTITY.baseUrl };
    const rebound = { type: 'rebound', at: AT, ...bound } as const;
    const elsewhere = { ...IDENTITY, baseUrl: 'https://other.example.com' };
    await put('a.state.jsonl', linesOf([...EVENTS, long, rebound], { identity: elsewhere }));
    await put('b.state.jsonl', linesOf([...EVENTS, long], { identity: elsewhere }));
    const { found: all } = await witnesses().others(statePaths(file), IDENTITY);
    expect(all).toMatchObject([
      { file: path.join(folder, 'a.state.jsonl'), header: { lineage: LINEAGE, campaign: 'autumn' } },
    ]);
  });

  it('what was never used, and what is no state, does not', async () => {
    await put('used.state.jsonl', linesOf(EVENTS.slice(0, 1)));
    await put('new.state.jsonl', linesOf([]));
    await put('text.state.jsonl', ['nothing']);
    await fs.symlink('used.state.jsonl', path.join(folder, 'link.state.jsonl'));
    expect(await found()).toEqual({ ...NOTHING, names: ['used.state.jsonl'] });
  });

  it('one whose use cannot be told stands in the way', async () => {
    await put('records.state.jsonl', linesOf(EVENTS.slice(1)));
    const [header = '', ...records] = linesOf(EVENTS);
    await put('damaged.state.jsonl', [header, ...records.slice(1)]);
    expect(await found()).toEqual({ ...NOTHING, names: ['damaged.state.jsonl', 'records.state.jsonl'] });
  });

  it('nothing does for the emulator, which costs nothing', async () => {
    await put('used.state.jsonl', linesOf(EVENTS));
    expect(await found({ identity: { ...IDENTITY, baseUrl: EMULATOR } })).toEqual(NOTHING);
  });

  it('the current one is that of a manifest on standard input', async () => {
    await put('used.state.jsonl', linesOf(EVENTS));
    const before = process.cwd();
    folder = await fs.realpath(folder);
    process.chdir(folder);
    try {
      file = path.join(folder, 'elsewhere/own.state.jsonl');
      expect(await found({ manifest: '-' })).toEqual({ ...NOTHING, names: ['used.state.jsonl'] });
    } finally {
      process.chdir(before);
    }
  });
});

describe('in git', () => {
  const BEGUN = EVENTS.slice(0, 1);

  beforeEach(async () => {
    await put('other/s.state.jsonl', linesOf(BEGUN));
    await put('other/w.state.jsonl', linesOf(BEGUN, { identity: OTHER, lineage: 'winter' }));
    const git = (...args: readonly string[]) => promisify(execFile)('git', args, { cwd: folder });
    await git('init', '--quiet');
    await git('add', '--force', 'other');
  });

  it('a state of this name stands in the way wherever it is tracked', async () => {
    expect(await found()).toEqual({ ...NOTHING, names: ['other/s.state.jsonl'] });
  });

  it('what it tracks is unknown where it does not answer', async () => {
    expect(await found({ env: { PATH: '' } })).toEqual({
      ...NOTHING,
      unasked: expect.objectContaining({ type: 'unasked', why: 'git is not installed' }) as object,
    });
  });

  it('a log is taken where a manifest beside its pointer uses it', async () => {
    const used: ManifestsIn = (at) => [path.join(at, 'm.yaml')];
    const taker = path.join(folder, 'other/s.state.jsonl');
    expect(await witnesses({ manifestsIn: used }).taker(statePaths(file), LINEAGE)).toBe(taker);
    expect(await witnesses().taker(statePaths(file), LINEAGE)).toBeUndefined();
    expect(await witnesses({ manifestsIn: used }).taker(statePaths(taker), LINEAGE)).toBeUndefined();
  });
});
