/** Posts that exchange their keys, with their files: the process dies at every operation, or the power fails. */
import { describe, expect, it, vi } from 'vitest';
import { moveOutputs } from '../../src/app/move-outputs.ts';
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import { moveEvents } from '../../src/match/moves.ts';
import { type CampaignWords, graphOf, heroOf } from '../support/campaign.ts';
import { applyOnce, inState, type ProcessEnd, readState } from '../support/crash-apply.ts';
import type { DiskOperation } from '../support/crash-disk.ts';
import { createCrashWorld, type CrashWorld, STATE_FILE } from '../support/crash-world.ts';
import { planGraph } from '../support/play-plan.ts';
import { everyNth } from './stride.ts';

vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({ tryLock: (await import('../support/crash-fs.ts')).tryLock }));

const AT = '2026-11-22T10:00:00.000Z';
const keyed = (...keys: readonly [string, string, string]): CampaignWords =>
  heroOf(...keys.map((key, index) => ({ key, descriptions: [`picture ${index}`] })));
const BEFORE = keyed('a', 'b', 'c');
/** A round of three. */
const AFTER = keyed('b', 'c', 'a');

/** All files of a finished campaign are on the disk; each holds the id of its post. */
async function finishedWorld(): Promise<CrashWorld> {
  const world = createCrashWorld(seededRandom('latencies'));
  await applyOnce(world, { words: BEFORE });
  const { disk } = world;
  for (const path of ['/campaign/out', '/campaign/out/hero']) {
    disk.make(path, 0o755, 'folder');
    const above = path.slice(0, path.lastIndexOf('/'));
    disk.sync(disk.find(above, 'sync'), above);
  }
  for (const [path, id] of await filesIn(world)) disk.put(`/campaign/${path}`, Buffer.from(id));
  // The steps of this world give files names of their own.
  while ((await move(world, BEFORE)).type !== 'idle');
  return world;
}

/** Recorded paths, and the ids of the posts. */
async function filesIn(world: CrashWorld): Promise<(readonly [string, string])[]> {
  const opened = await readState(world);
  if (!opened.ok) throw new Error(opened.error.detail);
  return [...opened.value.state.media.values()].flatMap(({ takes }) =>
    takes.flatMap(({ files = [], result }) => files.map(({ path }) => [path, result?.id ?? ''] as const)),
  );
}

/** What an apply does with the moves of its plan. */
function move(world: CrashWorld, words: CampaignWords): Promise<ProcessEnd> {
  return inState(world, { name: 'apply', retries: 'goes-on' }, async ({ recorder }) => {
    const plan = planGraph(graphOf(words), recorder.state);
    expect(plan.newPosts).toBe(0);
    if (!plan.moves.length && !plan.fileMoves.length) return { type: 'idle' };
    await recorder.append(moveEvents(plan.moves, AT));
    const place = { folder: '/campaign', dir: 'out', outside: 'refuse' } as const;
    await moveOutputs(plan.fileMoves, { place, recorder, now: () => AT });
    return { type: 'ended' };
  });
}

interface Point {
  /** The operation at which the process dies, counted from the first one of the exchange. */
  readonly n?: number;
  readonly when?: 'before' | 'after';
  readonly power?: 'fails';
  readonly hear?: (operation: DiskOperation) => void;
}

/** Applies until nothing is left to do; what is wrong then. */
async function visit({ n, when = 'before', power, hear }: Point): Promise<string[]> {
  const world = await finishedWorld();
  const { disk } = world;
  const begun = disk.operations;
  disk.fault = (operation) => {
    hear?.({ ...operation, n: operation.n - begun });
    return operation.n - begun === n ? { type: 'die', when } : undefined;
  };
  for (let runs = 0; runs < 6; runs += 1) {
    const end = await move(world, AFTER);
    // Of names that were not synced none is left.
    if (end.type === 'died' && power) disk.losePower(() => 0.9);
    if (end.type === 'idle') break;
  }
  const files = await filesIn(world);
  const there = [...disk.names].flatMap(([path, { data }]) =>
    /^\/campaign\/out\/.*png$/.test(path) ? `${path} ${data.toString()}` : [],
  );
  const recorded = files.map(([path, id]) => `/campaign/${path} ${id}`);
  const requests = [...world.service.ledger].filter(({ kind }) => kind === 'media-config').length;
  return there.sort().join() === recorded.sort().join() && requests === 1
    ? []
    : [`there: ${there.join()}; recorded: ${recorded.join()}; ${requests} requests`];
}

async function survey(): Promise<DiskOperation[]> {
  const operations: DiskOperation[] = [];
  expect(await visit({ hear: (operation) => operations.push(operation) })).toEqual([]);
  return operations;
}

describe('three posts that exchange their keys keep their files, and nothing is paid (scenario 43)', async () => {
  const operations = await survey();

  it.each(['before', 'after'] as const)('where the process dies %s any operation', async (when) => {
    const points = everyNth(operations, 40);
    expect(points.length).toBeGreaterThan(20);
    for (const { n } of points) expect(await visit({ n, when })).toEqual([]);
  });

  it.each(['before', 'after'] as const)('where the power fails %s a write of the state', async (when) => {
    const writes = operations.filter(({ path, kind }) => path === STATE_FILE && kind !== 'rename');
    expect(writes.length).toBeGreaterThan(3);
    for (const { n } of writes) expect(await visit({ n, when, power: 'fails' })).toEqual([]);
  });
});
