/** A campaign that workers share, and what the service has of it: the ledger. */
import { expect } from 'vitest';
import type { CampaignFolder } from '../cli/small-campaign.ts';
import type { BareService } from '../support/bare-service.ts';
import { runSql } from '../support/postgres.ts';

type Env = Readonly<Record<string, string>>;

/** Where the state of `manyProducts` lies, or what says where it is. */
export const MANY_STATE = 'many.default.state.jsonl';

/** One photo, so many products, a post of each. */
export function manyProducts(count: number, more = ''): string {
  const products = Array.from({ length: count }, (_, n) => `  p${n}: { images: [tote.png] }`);
  return `version: 1
name: many
${more}products:
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

/** What was created and is paid for or has a name: the address that it was created for, and its id. */
function ledgerOf({ created }: BareService): readonly (readonly [address: string, id: string])[] {
  const names = new Map(created.products.map(({ id, name }) => [id, String(name)]));
  return [
    ...created.products.map(({ id, name }) => [`product/${String(name)}`, id] as const),
    ...created.concepts.map(({ id }) => ['concept/morning', id] as const),
    ...created.configs.map(({ id, items }) => {
      const [asset] = (items[0]?.['assets'] ?? []) as { product_id: string }[];
      return [`media-config/grid/${names.get(asset?.product_id ?? '')}@1`, id] as const;
    }),
  ];
}

/** Nothing was made twice, and all that was made is known or undecided; gives what is undecided. */
export async function checkLedger(
  service: BareService,
  campaign: CampaignFolder,
  env: Env,
): Promise<readonly string[]> {
  const ledger = ledgerOf(service);
  const addresses = ledger.map(([address]) => address);
  expect(addresses.toSorted()).toEqual([...new Set(addresses)].toSorted());
  const listed = await campaign.run(['state', 'list', 'm.yaml', '--json'], env);
  const rows = JSON.parse(listed.stdout) as { address: string; status: string; id: string | null }[];
  const known = new Set(rows.map(({ id }) => id));
  const undecided = rows.flatMap(({ status, address }) =>
    status === 'unknown' && !address.startsWith('media/') ? [address] : [],
  );
  const nobodys = ledger.filter(([address, id]) => !known.has(id) && !undecided.includes(address));
  expect(nobodys).toEqual([]);
  return undecided;
}

/** The clock of the process stands two minutes later, when no answer of one that has died can come any more. */
const LATER = {
  NODE_OPTIONS: '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+120000',
};

/** Decides each of them by what the service has. */
export async function decideAll(
  service: BareService,
  campaign: CampaignFolder,
  { env, unknown }: { readonly env: Env; readonly unknown: readonly string[] },
): Promise<void> {
  const ledger = new Map(ledgerOf(service));
  for (const address of unknown) {
    const id = ledger.get(address);
    const words = id === undefined ? ['--not-created'] : ['--id', id];
    const { code, stderr } = await campaign.run(['resolve', 'm.yaml', address, ...words], {
      ...env,
      ...LATER,
    });
    expect({ code, stderr, address }).toMatchObject({ code: 0 });
  }
}

/** Each of so many products once, with its post, and nothing is left to do. */
export async function checkComplete(
  service: BareService,
  campaign: CampaignFolder,
  { env, count }: { readonly env: Env; readonly count: number },
): Promise<void> {
  const names = Array.from({ length: count }, (_, n) => `p${n}`);
  const wanted = names.flatMap((name) => [`product/${name}`, `media-config/grid/${name}@1`]);
  const made = ledgerOf(service).map(([address]) => address);
  expect(made.toSorted()).toEqual([...wanted, 'concept/morning'].toSorted());
  expect((await campaign.run(['plan', 'm.yaml'], env)).stdout).toContain('No changes.');
  expect(await campaign.run(['outputs', 'm.yaml', '--verify'], env)).toMatchObject({ code: 0 });
}

/** It is created beside the products, and its answer may be recorded after theirs were sent. */
export const CONCEPT_DONE = `select from campaign.node where kind = 'concept' and ended = 'done'`;

export async function madeAtLeast({ created }: BareService, count: number): Promise<void> {
  const made = () => created.products.length + created.configs.length;
  while (made() < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** All rows of the state and of the queue. */
export async function dumpOf(url: string): Promise<string> {
  const tables = await runSql(
    url,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname like 'campaign%'`,
  );
  const rows = tables.map(({ name }) => runSql(url, `select t::text as row from ${String(name)} t`));
  return (await Promise.all(rows)).flatMap((all) => all.map(({ row }) => String(row))).join('\n');
}
