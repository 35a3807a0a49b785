/** Done-condition of the budget: however often a run is killed, it requests no more than the budget allows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyExample, type ExampleCopy } from '../support/example.ts';
import { checkInvariants, resolveUnknowns } from '../support/resolve-unknowns.ts';
import { startCli } from '../support/run-cli.ts';
import { runHere } from '../support/run-here.ts';
import { IS_FULL } from '../sweep/stride.ts';

/** Of the large example in `npm run test:sweep`, of the small one as a part of `npm run test:system`. */
const { rounds, name, posts, most } = IS_FULL
  ? { rounds: 50, name: 'matrix', posts: 40, most: 30 }
  : { rounds: 2, name: 'quickstart', posts: 6, most: 4 };

let example: ExampleCopy;
beforeAll(async () => {
  const append = `\nbudget: { prices: { image: 0.1, carousel: 0.3, video: 1.2 }, per_month: { posts: ${most} }, per_run: { posts: ${most} } }\n`;
  example = await copyExample(name, { photos: 'stand-ins', append });
});
afterAll(() => example.remove());

const APPLY = ['apply', 'campaign.yaml', '--env', 'emulator', '--within-budget', '--json'];

/** Posts that the service was asked for, by its own books. */
function postsMade(): number {
  const configs = example
    .ledger()
    .filter(({ kind, action }) => kind === 'media-config' && action === 'create');
  return configs.reduce(
    (sum, { request }) => sum + ((request as { items?: unknown[] }).items?.length ?? 0),
    0,
  );
}

async function killAfter(steps: number): Promise<void> {
  const cli = startCli(APPLY, { cwd: example.folder });
  let left = steps;
  cli.process.stdout?.on('data', (text: string) => {
    left -= text.split('"end":"done"').length - 1;
    if (left <= 0) cli.process.kill('SIGKILL');
  });
  await cli.end;
}

it(`${rounds} rounds of kill and restart against a budget of ${most} posts (scenario 36)`, {
  timeout: 900_000,
}, async () => {
  for (let round = 1; round <= rounds; round += 1) {
    await killAfter(1 + ((round * 7) % 12));
    expect(postsMade()).toBeLessThanOrEqual(most);
    if (round % 2) await resolveUnknowns(example);
  }
  await resolveUnknowns(example);
  let end = await runHere(APPLY, { cwd: example.folder });
  for (let more = 0; end.code === 4 && more < 3; more += 1) {
    await resolveUnknowns(example);
    end = await runHere(APPLY, { cwd: example.folder });
  }
  expect(end.code).toBe(5);
  expect(postsMade()).toBe(most);
  await checkInvariants(example);
  const plan = await runHere(['plan', 'campaign.yaml', '--env', 'emulator', '--json'], {
    cwd: example.folder,
  });
  expect(JSON.parse(plan.stdout)).toMatchObject({
    new_posts: posts - most,
    budget: { month: { posts: { spent: most, limit: most, exceeded: true } } },
  });
});
