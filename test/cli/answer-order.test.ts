/** What people and machines read of a campaign is the same whichever of two answers came first. */
import { expect, it } from 'vitest';
import { startHeldService } from '../support/held-service.ts';
import { failure, ID, success } from './held-answers.ts';
import { type CampaignFolder, campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

const TWO = SINGLE.replace('products:\n', 'products:\n  mug: { images: [tote.png] }\n').replace(
  'products: [tote]',
  'products: [tote, mug]',
);

const ORDERS = [
  [0, 1],
  [1, 0],
] as const;

type Product = Awaited<ReturnType<Awaited<ReturnType<typeof startHeldService>>['next']>>;

interface Applied {
  readonly campaign: CampaignFolder;
  /** What the end of the run said: its last lines, and each failure at its line. */
  readonly end: unknown;
}

/** Applies until both products were asked for, and answers them in one order. */
async function applied(order: readonly number[], answer: (product: Product) => void): Promise<Applied> {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(TWO, service);
  const run = campaign.start(['apply', 'm.yaml', '--only', 'product/*']);
  (await service.next('POST /upload-media/')).respond(200, success('https://cdn.example.com/tote.png'));
  const both = [await service.next('POST /products/'), await service.next('POST /products/')].sort((a, b) =>
    a.body < b.body ? -1 : 1,
  );
  for (const index of order) {
    const product = both[index];
    if (!product) throw new Error('no such request');
    answer(product);
    const name = (JSON.parse(product.body) as { name: string }).name;
    await run.seen(new RegExp(`product/${name} `));
  }
  const { code, stdout, stderr } = await run.end;
  return {
    campaign,
    end: { code, stdout: plain(stdout), failures: plain(stderr.slice(stderr.indexOf('error: '))) },
  };
}

function plain(text: string): string {
  return text
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/"run": "[0-9a-f]+"/g, '"run": "RUN"');
}

async function told(
  { campaign, end }: Applied,
  commands: readonly (readonly string[])[],
): Promise<unknown[]> {
  const all = [end];
  for (const [verb = '', ...args] of commands) {
    const { code, stdout, stderr } = await campaign.run([verb, ...args]);
    all.push([verb, ...args, code, plain(stdout), plain(stderr)]);
  }
  return all;
}

const READING = [
  ['plan', 'm.yaml'],
  ['plan', 'm.yaml', '--json'],
  ['status', 'm.yaml'],
  ['state', 'export', 'm.yaml'],
  ['state', 'rm', 'm.yaml', 'product/*'],
];

it.each<[string, (product: Product) => void]>([
  [
    'made',
    (product) => product.respond(201, success({ id: product.body.includes('mug') ? ID.media : ID.product })),
  ],
  ['refused for one reason', (product) => product.respond(422, failure('no such variant'))],
  ['unknown', (product) => product.reset()],
])('products that are %s', async (_, answer) => {
  const [first, second] = await Promise.all(ORDERS.map((order) => applied(order, answer)));
  if (!first || !second) throw new Error('two runs');
  expect(await told(second, READING)).toEqual(await told(first, READING));
  // The manifest names them no more.
  for (const { campaign } of [first, second])
    await campaign.write('m.yaml', 'version: 1\nname: small\nconcepts: { morning: {} }\n');
  expect(await told(second, READING)).toEqual(await told(first, READING));
});

it('a refused key gives every node one cause, whether or not it was under way', async () => {
  const ends = [];
  for (const together of [true, false]) {
    const service = await untilTestEnds(startHeldService({ holdTokenRoute: true }));
    const campaign = await campaignFolder(TWO, service);
    const run = campaign.run(['apply', 'm.yaml', '--json', ...(together ? [] : ['--concurrency', '1'])]);
    (await service.next('POST /get_auth_token')).respond(401, failure('bad key'));
    const { code, stdout } = await run;
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const nodes = events
      .filter(({ type }) => type === 'node-finished')
      .map(({ address, end, problem }) => JSON.stringify([address, end, problem]));
    nodes.sort((a, b) => (a < b ? -1 : 1));
    ends.push({ code, nodes, last: events.at(-1) });
  }
  expect(ends[1]).toEqual(ends[0]);
  expect(JSON.stringify(ends)).not.toContain('the run was stopped');
  expect(ends[0]).toMatchObject({ code: 77 });
});
