/** The commands of docs/scale.md for a run that several processes carry out, with a real Postgres; what the service has decides. */
import { describe, expect, it } from 'vitest';
import { type BareService, startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { campaignFolder, type CampaignFolder, untilTestEnds } from '../cli/small-campaign.ts';

/** One photo, so many products, a post of each. */
function manyProducts(count: number): string {
  const products = Array.from({ length: count }, (_, n) => `  p${n}: { images: [tote.png] }`);
  return `version: 1
name: many
products:
${products.join('\n')}
concepts:
  morning: { description: Soft light }
posts:
  grid:
    matrix: { product: "*" }
    concept: morning
    items: [{ key: one, post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: "1:1" }]
`;
}

function startWorker(campaign: CampaignFolder, url: string) {
  return campaign.start(['worker', '--json', '--slots', '4'], {
    CAMPAIGN_STATE: url,
  });
}

/** What was made, by what it was made for: each of it once. */
function made({ created }: BareService) {
  return {
    products: created.products.map(({ name }) => String(name)).toSorted(),
    concepts: created.concepts.length,
    posts: created.configs.length,
  };
}

/** Whatever was killed: nothing was made twice, and what was made is known or undecided. */
async function checkLedger(
  service: BareService,
  campaign: CampaignFolder,
  env: Readonly<Record<string, string>>,
) {
  const { products } = made(service);
  expect(products).toEqual([...new Set(products)]);
  const listed = await campaign.run(['state', 'list', 'm.yaml', '--json'], env);
  const rows = JSON.parse(listed.stdout) as { address: string; status: string; id: string | null }[];
  const known = new Set(rows.map(({ id }) => id));
  const undecided = rows.filter(
    ({ status, address }) => status === 'unknown' && !address.startsWith('media/'),
  );
  const unknown = new Set(undecided.map(({ address }) => address));
  for (const { id, name } of service.created.products)
    expect(known.has(id) || unknown.has(`product/${String(name)}`), `${String(name)} is known`).toBe(true);
  const lost = service.created.configs.filter(({ id }) => !known.has(id)).length;
  expect(lost).toBeLessThanOrEqual(
    [...unknown].filter((address) => address.startsWith('media-config/')).length,
  );
  return unknown;
}

describe.runIf(hasPostgres)('a run that workers share', () => {
  it('is carried out by all of them, whichever of them are killed, and pays for nothing twice', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 1 }));
    const campaign = await campaignFolder(manyProducts(COUNT), service);
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    const workers = [1, 2, 3].map(() => startWorker(campaign, url));
    await Promise.all(workers.map((worker) => worker.seen(/"ready"/)));
    const apply = campaign.start(['apply', 'm.yaml'], env);
    // In the middle of it, one worker and the apply die, and one worker is stopped.
    await madeAtLeast(service, 7);
    workers[0]?.process.kill('SIGKILL');
    apply.process.kill('SIGKILL');
    workers[1]?.process.kill('SIGTERM');
    expect(await workers[1]?.end).toMatchObject({ code: 0 });
    // Nobody waits for ten seconds here: all are taken for silent, also the one that is alive, which loses its claims.
    await runSql(url, "update campaign_queue.job set heartbeat_on = 'epoch' where state = 'active'");
    // The last one carries it to its end, by itself.
    await workers[2]?.seen(/"left"/);
    const [run] = await runSql(url, 'select ended_how from campaign.run');
    expect(run).toEqual({ ended_how: 'ended' });
    const unknown = await checkLedger(service, campaign, env);
    expect(unknown.size).toBeLessThanOrEqual(4 + 8);

    for (const address of unknown) {
      const id = idOf(service, address);
      const words = id === undefined ? ['--not-created'] : ['--id', id];
      const resolved = await campaign.run(['resolve', 'm.yaml', address, ...words], env);
      expect({ code: resolved.code, err: resolved.stderr, address }).toMatchObject({ code: 0 });
    }
    const rest = await campaign.run(['apply', 'm.yaml'], env);
    expect({ code: rest.code, err: rest.stderr }).toMatchObject({ code: 0 });
    workers[2]?.process.kill('SIGTERM');
    expect(await workers[2]?.end).toMatchObject({ code: 0 });
    const products = Array.from({ length: COUNT }, (_, n) => `p${n}`).toSorted();
    expect(made(service).products).toEqual(products);
    expect((await campaign.run(['plan', 'm.yaml'], env)).stdout).toContain('No changes.');
    expect(await campaign.run(['outputs', 'm.yaml', '--verify'], env)).toMatchObject({ code: 0 });
  });
});

const COUNT = 20;

/** What the service has for the create of this address. */
function idOf({ created }: BareService, address: string): string | undefined {
  const productOf = (id: unknown) => String(created.products.find((product) => product.id === id)?.['name']);
  const addresses = [
    ...created.products.map(({ id, name }) => [`product/${String(name)}`, id]),
    ...created.concepts.map(({ id }) => ['concept/morning', id]),
    ...created.configs.map(({ id, items }) => {
      const [asset] = (items[0]?.['assets'] ?? []) as { product_id: string }[];
      return [`media-config/grid/${productOf(asset?.product_id)}@1`, id];
    }),
  ];
  return addresses.find(([each]) => each === address)?.[1];
}

async function madeAtLeast(service: BareService, count: number): Promise<void> {
  while (service.created.products.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
}
