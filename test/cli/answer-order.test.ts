/** What people and machines read of a campaign is the same whichever of two answers came first. */
import { expect, it } from 'vitest';
import { type HeldService, startHeldService } from '../support/held-service.ts';
import { failure, ID, success } from './held-answers.ts';
import { type CampaignFolder, campaignFolder, PNG, SINGLE, untilTestEnds } from './small-campaign.ts';
import type { Problem } from '../../src/model/problem.ts';

const TWO = SINGLE.replace('products:\n', 'products:\n  mug: { images: [mug.png] }\n').replace(
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

const KEYS = ['mug', 'tote'];
const MUG = '-- the mug --';

function isOf(upload: string, key: string): boolean {
  return upload.includes(MUG) === (key === 'mug');
}

async function twoProducts(service: HeldService): Promise<CampaignFolder> {
  const campaign = await campaignFolder(TWO, service);
  // Another content: the end of a PNG may be followed by anything.
  await campaign.write('mug.png', Buffer.concat([PNG, Buffer.from(MUG)]));
  return campaign;
}

/** Answers uploads in one order, so that the products are sent in it, and then the products in it. */
async function applied(
  order: readonly number[],
  answer: (product: Product, key: string) => void,
): Promise<Applied> {
  const service = await untilTestEnds(startHeldService());
  const campaign = await twoProducts(service);
  const run = campaign.start(['apply', 'm.yaml', '--only', 'product/*']);
  const uploads = [await service.next('POST /upload-media/'), await service.next('POST /upload-media/')];
  const products = new Map<string, Product>();
  for (const key of order.map((index) => KEYS[index] ?? '')) {
    const upload = uploads.find(({ body }) => isOf(body, key));
    upload?.respond(200, success(`https://cdn.example.com/${key}.png`));
    products.set(key, await service.next('POST /products/'));
  }
  for (const [key, product] of products) {
    answer(product, key);
    await run.seen(new RegExp(`product/${key} `));
  }
  const { code, stdout, stderr } = await run.end;
  const failures = plain(stderr.slice(stderr.indexOf('error: ')));
  return { campaign, end: { code, stdout: plain(stdout), failures } };
}

function plain(text: string): string {
  return text
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC)/g, 'TIME')
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

it.each<[string, (product: Product, key: string) => void]>([
  ['made', (product, key) => product.respond(201, success({ id: key === 'mug' ? ID.media : ID.product }))],
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

/** Which of two uploads that failed together is named for what needs both depends on which ended first. */
function withoutUpload(problem: Problem): Partial<Problem> {
  const { detail: _, photos: __, ...upstream } = problem;
  return problem.cause === 'upstream' ? upstream : problem;
}

it('a refused key gives every node one cause, whether or not it was under way', async () => {
  const ends = [];
  for (const together of [true, false]) {
    const service = await untilTestEnds(startHeldService({ holdTokenRoute: true }));
    const campaign = await twoProducts(service);
    const run = campaign.run(['apply', 'm.yaml', '--json', ...(together ? [] : ['--concurrency', '1'])]);
    (await service.next('POST /get_auth_token')).respond(401, failure('bad key'));
    const { code, stdout } = await run;
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const nodes = events
      .filter(({ type }) => type === 'node-finished')
      .map(({ address, end, problem }) => JSON.stringify([address, end, withoutUpload(problem as Problem)]));
    nodes.sort((a, b) => (a < b ? -1 : 1));
    ends.push({ code, nodes, last: events.at(-1) });
  }
  expect(ends[1]).toEqual(ends[0]);
  expect(JSON.stringify(ends)).not.toContain('the run was stopped');
  expect(ends[0]).toMatchObject({ code: 77 });
});
