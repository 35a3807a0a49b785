/** A product that the service refuses at first: the items that show it are left out of their request, and asked for later. */
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import type { CampaignWords } from '../support/campaign.ts';
import type { DiskFault, DiskOperation } from '../support/crash-disk.ts';
import { playStory } from '../support/crash-story.ts';
import { createCrashWorld } from '../support/crash-world.ts';
import type { SimulatedCall, SimulatedFault } from '../support/simulated-client.ts';
import { told } from './dimension.ts';
import { everyNth } from './stride.ts';

const WORDS: CampaignWords = {
  products: { tote: { photos: ['front'] }, mug: { photos: ['mug'] } },
  concepts: { morning: { description: 'Soft light' } },
  posts: {
    hero: {
      items: [
        { products: ['tote'], descriptions: ['kitchen'] },
        { products: ['mug'], descriptions: ['desk'] },
        { products: ['tote', 'mug'], descriptions: ['shelf'] },
        { products: ['mug'], descriptions: ['window'] },
      ],
    },
  },
};

interface Point {
  readonly name: string;
  readonly disk?: (operation: DiskOperation) => DiskFault | undefined;
  readonly network?: (n: number) => SimulatedFault | 'kill' | undefined;
}

async function visit({ name, disk, network }: Point) {
  const world = createCrashWorld(seededRandom('latencies'), () => undefined, 'memory');
  const operations: DiskOperation[] = [];
  world.disk.fault = (operation) => {
    operations.push(operation);
    return disk?.(operation);
  };
  let calls = 0;
  let products = 0;
  const fault = ({ route }: SimulatedCall): SimulatedFault | undefined => {
    calls += 1;
    const disturbed = network?.(calls);
    if (disturbed === 'kill') world.runs.at(-1)?.process.end();
    else if (disturbed) return disturbed;
    if (route === 'POST /products/') products += 1;
    return route === 'POST /products/' && products === 1 ? { status: 400 } : undefined;
  };
  const problems = await playStory(world, {
    chapters: [{ words: WORDS, fault }],
    power: 'stays',
    luck: seededRandom(name),
    mayFail: () => false,
    before: () => undefined,
  });
  return { world, operations, calls, problems: problems.map((problem) => `${name}: ${problem}`) };
}

it('is paid for nowhere twice, whatever happens in between', { timeout: 300_000 }, async () => {
  const undisturbed = await visit({ name: 'undisturbed' });
  expect(undisturbed.problems).toEqual([]);
  const requests = undisturbed.world.service.ledger.filter(({ kind }) => kind === 'media-config');
  const asked = requests.map(({ request }) =>
    (request as unknown as { items: { descriptions: { description: string }[] }[] }).items.map(
      ({ descriptions: [first] }) => first?.description,
    ),
  );
  // The first product is refused: what shows it comes with the second run.
  expect(asked.map((items) => items.join(' ')).sort()).toEqual(['desk window', 'kitchen shelf']);

  const ways = ['kill', 'cut', 'cut-done', 'garbage', { status: 400 }, { status: 503 }] as const;
  const points: Point[] = [
    ...undisturbed.operations.flatMap(({ n }) =>
      (['before', 'after'] as const).map((when) => ({
        name: `kill ${when} operation ${n}`,
        disk: (operation: DiskOperation) =>
          operation.n === n ? ({ type: 'die', when } as const) : undefined,
      })),
    ),
    ...Array.from({ length: undisturbed.calls }, (_, index) => index + 1).flatMap((nth) =>
      ways.map((way) => ({
        name: `${JSON.stringify(way)} at call ${nth}`,
        network: (n: number) => (n === nth ? way : undefined),
      })),
    ),
  ];
  const chosen = everyNth(points);
  const started = performance.now();
  const failures: string[] = [];
  for (const point of chosen) failures.push(...(await visit(point)).problems.slice(0, 1));
  told('in memory: a product refused', {
    visited: chosen.length,
    failed: failures.length,
    ms: performance.now() - started,
  });
  expect(failures).toEqual([]);
});
