/** `refresh` and `import` die at each operation and request: the state is as before or as after, and the same command once more does the rest. */
import { expect, it, vi } from 'vitest';
import { importNode } from '../../src/app/import-node.ts';
import { refreshCampaign } from '../../src/app/refresh-campaign.ts';
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import type { CampaignWords } from '../support/campaign.ts';
import { type ProcessEnd, readState } from '../support/crash-apply.ts';
import { violations } from '../support/crash-check.ts';
import { AGREED, commandOnce, type UseCase } from '../support/crash-command.ts';
import type { DiskOperation } from '../support/crash-disk.ts';
import { playStory } from '../support/crash-story.ts';
import { createCrashWorld, type CrashWorld } from '../support/crash-world.ts';
import { outline, planOf } from '../support/play-plan.ts';
import {
  createSimulatedClient,
  type SimulatedCall,
  type SimulatedFault,
} from '../support/simulated-client.ts';
import { told } from './dimension.ts';
import { kills, networkFaults, type Point, powerLosses } from './points.ts';
import { everyNth } from './stride.ts';

vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({ tryLock: (await import('../support/crash-fs.ts')).tryLock }));

const PEN = 'https://cdn.example/pen.jpg';
const MADE: CampaignWords = {
  products: { tote: { photos: ['front'], description: 'Canvas' }, mug: { photos: ['mug'] } },
  concepts: { morning: { description: 'Soft light' } },
  posts: { hero: { items: [{ key: 'kitchen', products: ['tote'] }] } },
};
/** With what somebody has made by hand. */
const WORDS: CampaignWords = {
  products: { ...MADE.products, pen: { photos: [PEN], description: 'Blue' } },
  concepts: { ...MADE.concepts, noon: { description: 'Hard light' } },
  posts: { ...MADE.posts, desk: { concept: 'noon', items: [{ key: 'left', products: ['pen'] }] } },
};

interface Place {
  readonly world: CrashWorld;
  /** Each adopts something, or refreshes, in this order. */
  readonly commands: readonly UseCase[];
}

/** One campaign is applied; somebody has deleted and changed a product of it, and has made things by hand. */
async function placeOf(): Promise<Place> {
  const world = createCrashWorld(seededRandom('latencies'));
  const options = { power: 'stays', luck: () => 0, mayFail: () => false, before: () => {} } as const;
  expect(await playStory(world, { chapters: [{ words: MADE }], ...options })).toEqual([]);
  const [pen, noon, desk] = await world.clock.runUntil(byHand(world));
  const importing =
    (address: string, id: string, look: 'look' | 'unverified' = 'look'): UseCase =>
    (runtime, campaign) =>
      importNode(runtime, campaign, { ...AGREED, address, id, look });
  const commands: UseCase[] = [
    (runtime, campaign) => refreshCampaign(runtime, campaign, AGREED),
    importing('product/pen', pen),
    importing('concept/noon', noon, 'unverified'),
    importing('media-config/desk', desk),
  ];
  return { world, commands };
}

async function byHand(world: CrashWorld): Promise<[pen: string, noon: string, desk: string]> {
  const { client } = createSimulatedClient({ service: world.service, clock: world.clock, latency: () => 10 });
  const idOf = (kind: string, name: string) =>
    world.made.find(({ node }) => node.address === `${kind}/${name}`)?.id ?? '';
  await client.deleteProduct(idOf('product', 'mug'));
  world.takenAway.add(idOf('product', 'mug'));
  await client.patchProduct(idOf('product', 'tote'), { description: 'Theirs' });
  const product = { name: 'pen', variant: 'plain', description: 'Blue' };
  const pen = await client.createProduct({ ...product, media_urls: [{ type: 'image', url: PEN }] });
  const noon = await client.createConcept({ name: 'noon', description: 'Hard light', ref_images: [] });
  const ids = [pen, noon].map((made) => (made.ok ? made.value.id : '')) as [string, string];
  const desk = await client.createMediaConfig({
    content_pillar: ids[1],
    number_of_posts: 1,
    items: [
      {
        post_type: 'image',
        assets: [{ type: 'product', product_id: ids[0], url: PEN }],
        metadata: { aspect_ratio: '1:1' },
      },
    ],
  });
  return [...ids, desk.ok ? desk.value.id : ''];
}

/** Each thing that is known, without the times. */
type Known = ReadonlyMap<string, string>;

async function knownIn(world: CrashWorld): Promise<Known> {
  const opened = await readState(world);
  if (!opened.ok) return new Map([['state', opened.error.detail]]);
  const { objects, requests, media } = opened.value.state;
  const nodes = [...objects.values(), ...requests.values(), ...media.values()];
  return new Map(nodes.map((node) => [node.address, JSON.stringify(node).replaceAll(TIME, '"then"')]));
}

const TIME = /"\d{4}-\d\d-\d\dT[^"]*"/g;

/** Things of which this says something that the others do not. */
function newIn(now: Known, ...others: readonly Known[]): string[] {
  const addresses = new Set([now, ...others].flatMap((known) => [...known.keys()]));
  return [...addresses].filter((address) => others.every((other) => other.get(address) !== now.get(address)));
}

interface Disturbed {
  readonly was: Known;
  readonly now: Known;
  readonly end: ProcessEnd;
  readonly place: Place;
}

/** The commands up to one of them, which is disturbed at a point. */
async function disturb(nth: number, point: Point): Promise<Disturbed> {
  const place = await placeOf();
  const { world, commands } = place;
  for (const use of commands.slice(0, nth)) await commandOnce(world, { words: WORDS }, use);
  const was = await knownIn(world);
  const first = world.disk.operations;
  let calls = 0;
  world.disk.fault = (operation) => point.disk?.({ ...operation, n: operation.n - first }, world);
  const fault = (call: SimulatedCall): SimulatedFault | undefined => {
    const found = point.network?.((calls += 1), { world, call });
    if (found !== 'kill' && found !== 'kill-cut') return found;
    world.runs.at(-1)?.process.end();
    return found === 'kill-cut' ? 'cut' : undefined;
  };
  const end = await commandOnce(world, { words: WORDS, fault }, commands[nth] as UseCase);
  world.disk.fault = undefined;
  if (end.type === 'died' && point.power) world.disk.losePower(seededRandom(point.name));
  return { was, now: await knownIn(world), end, place };
}

/** `after`: the state when nothing disturbs it. */
async function problemsAt(nth: number, point: Point, after: Known): Promise<string[]> {
  const { was, now, end, place } = await disturb(nth, point);
  const { world, commands } = place;
  const found = await violations(world);
  if (end.type !== 'died') found.push(`it is ${end.type}`);
  // A refresh that was cut short may have recorded some of what it found.
  found.push(...newIn(now, was, after).map((address) => `${address} is neither as before nor as after`));
  const again = await commandOnce(world, { words: WORDS }, commands[nth] as UseCase);
  const isDone = again.type === 'ended' || (again.type === 'refused' && again.problem.code === 'in-use');
  if (!isDone || (again.type === 'refused' && newIn(now, after).length))
    found.push(`once more, it is ${again.type}`);
  const left = newIn(await knownIn(world), after);
  found.push(...left.map((address) => `once more, it comes to something else for ${address}`));
  return [...found, ...(await violations(world))];
}

const KILLED = /^"kill/;
/** The edit of somebody else is taken back, what could not be read is sent, and nothing is made. */
const AFTERWARDS = ['~ product/tote', '~ concept/noon', '… media/desk/left@1'];

it.each([
  ['refresh', 0, ['product/mug', 'product/tote']],
  ['import of a product', 1, ['product/pen']],
  ['import of a concept', 2, ['concept/noon']],
  ['import of a request', 3, ['media-config/desk@1', 'media/desk/left']],
] as const)(
  '%s: kill -9 and loss of power at each operation and request (scenario 40)',
  { timeout: 900_000 },
  async (command, nth, news) => {
    const started = performance.now();
    const operations: DiskOperation[] = [];
    let calls = 0;
    const calm = await disturb(nth, {
      name: 'undisturbed',
      disk: (operation) => void operations.push(operation),
      network: (call) => void (calls = call),
    });
    expect([calm.end.type, newIn(calm.now, calm.was)]).toEqual(['ended', news]);
    const points = [
      ...kills(operations),
      ...powerLosses(operations),
      ...networkFaults(calls).filter(({ name }) => KILLED.test(name)),
    ];
    const chosen = everyNth(points, 6);
    const failures: string[] = [];
    for (const point of chosen) {
      const [failure] = await problemsAt(nth, point, calm.now);
      if (failure !== undefined) failures.push(`${point.name}: ${failure}`);
    }
    const ms = performance.now() - started;
    told(`${command} (scenario 40)`, { visited: chosen.length, failed: failures.length, ms });
    expect(failures).toEqual([]);
    if (nth === 3) expect(await planned(calm.place.world)).toEqual(AFTERWARDS);
  },
);

async function planned(world: CrashWorld): Promise<string[]> {
  const opened = await readState(world);
  if (!opened.ok) return [opened.error.detail];
  return outline(planOf(WORDS, opened.value.state));
}
