import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveOutputs } from '../../src/app/move-outputs.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import type { Recorder } from '../../src/model/step.ts';
import { outputPaths } from '../../src/model/output-path.ts';
import { planFileMoves } from '../../src/plan/take-files.ts';
import { createMemoryRecorder } from '../support/memory-recorder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campaign-move-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const AT = '2026-11-22T10:00:00.000Z';
const SWAPPED = { dir: 'out', name: '{item}/{post}' };

/** A finished post of one item; its file holds the name that the post has. */
async function finished(post: string, item: string): Promise<StateEvent[]> {
  const path = `out/${post}/${item}.png`;
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), post);
  const request = `media-config/${post}@1`;
  const inputs = { post_type: 'image' };
  const payload = {
    post_type: 'image',
    assets: [],
    variants: [],
    descriptions: [],
    metadata: { aspect_ratio: '1:1' },
  } as const;
  return [
    {
      type: 'intent',
      at: AT,
      address: request,
      inputs: {},
      fingerprint: '',
      attempt: 1,
      request: {
        post,
        n: 1,
        concept: { id: 'c' },
        numberOfPosts: 1,
        items: [{ item, fingerprint: post, inputs, payload }],
        nextItem: 1,
      },
    },
    { type: 'created', at: AT, address: request, result: { id: post, concept: 'c', items: {} } },
    { type: 'generated', at: AT, address: `media/${post}/${item}@1`, result: { id: post, urls: [] } },
    {
      type: 'downloaded',
      at: AT,
      address: `download/${post}/${item}@1`,
      result: { media: post, files: [{ path, sha256: post, bytes: 1, contentType: 'image/png' }] },
    },
  ];
}

async function rename(recorder: Recorder) {
  const moves = planFileMoves(recorder.state, outputPaths(SWAPPED));
  await moveOutputs(moves, { place: { folder, dir: 'out', outside: 'refuse' }, recorder, now: () => AT });
}

/** What the state says of each post's file, and what is in it. */
function files({ state }: Recorder) {
  const paths = [...state.media.values()].flatMap(({ takes }) => takes.flatMap((take) => take.files ?? []));
  return Promise.all(
    paths.map(async ({ path, sha256 }) => [sha256, path, await readFile(join(folder, path), 'utf8')]),
  );
}

describe('two posts that swap the names of their files', () => {
  const AFTER = [
    ['x', 'out/y/x.png', 'x'],
    ['y', 'out/x/y.png', 'y'],
  ];

  it('each keep their own', async () => {
    const recorder = createMemoryRecorder([...(await finished('x', 'y')), ...(await finished('y', 'x'))]);
    await rename(recorder);
    expect(await files(recorder)).toEqual(AFTER);
    expect((await readdir(join(folder, 'out'), { recursive: true })).sort()).toEqual([
      'x',
      'x/y.png',
      'y',
      'y/x.png',
    ]);
  });

  it.each([1, 2])('also where the state takes no more at the %s. time', async (last) => {
    const recorder = createMemoryRecorder([...(await finished('x', 'y')), ...(await finished('y', 'x'))]);
    let appends = 0;
    const failing: Recorder = {
      ...recorder,
      append: (events) =>
        (appends += 1) < last ? recorder.append(events) : Promise.reject(new Error('full')),
    };
    await expect(rename(failing)).rejects.toThrow('full');
    await rename(recorder);
    expect(await files(recorder)).toEqual(AFTER);
  });
});

describe('a chain of names', () => {
  it('is followed whatever the order', async () => {
    const recorder = createMemoryRecorder([
      ...(await finished('x', 'y')),
      ...(await finished('y', 'x')),
      ...(await finished('z', 'y')),
    ]);
    const move = (post: string, from: string, to: string) => ({
      address: `download/${post}@1`,
      from: `out/${from}.png`,
      to: `out/${to}.png`,
    });
    const moves = [move('x/y', 'x/y', 'y/x'), move('y/x', 'y/x', 'z/y'), move('z/y', 'z/y', 'new')];
    await moveOutputs(moves, { place: { folder, dir: 'out', outside: 'refuse' }, recorder, now: () => AT });
    expect(await files(recorder)).toEqual([
      ['x', 'out/y/x.png', 'x'],
      ['y', 'out/z/y.png', 'y'],
      ['z', 'out/new.png', 'z'],
    ]);
  });
});
