/** An applied campaign of which the manifest then names only a part; tests prune or destroy copies of it. */
import { expect } from 'vitest';
import { type BareService, startBareService } from '../support/bare-service.ts';
import type { CliEnd } from '../support/run-cli.ts';
import { type CampaignFolder, campaignFolder, untilTestEnds } from './small-campaign.ts';

const item = (key: string, product: string) =>
  `      - { key: ${key}, post_type: image, products: [${product}], aspect_ratio: "8:1" }`;

/** Two products, two concepts, and a post plan for each. */
export const FULL = `version: 1
name: spring
products:
  tote: { images: [tote.png] }
  mug: { images: ["https://cdn.example.com/mug.jpg"] }
concepts:
  morning: { description: Soft light }
  night: { description: Neon }
posts:
  hero:
    concept: morning
    items:
${item('a', 'tote')}
  side:
    concept: night
    items:
${item('b', 'mug')}
${item('c', 'mug')}
`;

/** Without the mug, the night, and what shows them. */
export const HALF = FULL.replace(/\n {2}mug: .*/, '')
  .replace(/\n {2}night: .*/, '')
  .replace(/\n {2}side:[^]*/, '\n');

export interface PrunedCampaign extends CampaignFolder {
  readonly service: BareService;
  /** From now on, by route; undefined: nothing. */
  refuse(refuses: ((route: string) => number | undefined) | undefined): void;
  /** Routes of the requests that have changed something since the last time, tokens aside. */
  sent(): string[];
  /** How much the service has of each kind. */
  there(): Readonly<Record<string, number>>;
  /** `state list`, a line each. */
  listed(): Promise<string[]>;
  apply(...flags: string[]): Promise<CliEnd>;
}

/** Applied with the whole manifest; `manifest` is what is in the folder then. */
export async function appliedCampaign(manifest = HALF): Promise<PrunedCampaign> {
  let refuses: ((route: string) => number | undefined) | undefined;
  const options = { pendingPolls: 0, refuses: (route: string) => refuses?.(route) };
  const service = await untilTestEnds(startBareService(options));
  const campaign = await campaignFolder(FULL, service);
  const apply = (...flags: string[]) => campaign.run(['apply', 'm.yaml', ...flags]);
  expect(await apply('--quiet')).toMatchObject({ code: 0 });
  await campaign.write('m.yaml', manifest);
  let read = service.requests.length;
  const count = (list: readonly { readonly [field: string]: unknown }[]) =>
    list.filter((record) => record['deleted'] !== true).length;
  return {
    ...campaign,
    service,
    refuse(next) {
      refuses = next;
    },
    sent() {
      const requests = service.requests.slice(read);
      read = service.requests.length;
      return requests
        .filter(({ method, path }) => method !== 'GET' && path !== '/get_auth_token')
        .map(({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '{id}')}`);
    },
    there: () => ({
      products: count(service.created.products),
      concepts: count(service.created.concepts),
      requests: count(service.created.configs),
    }),
    async listed() {
      const { stdout } = await campaign.run(['state', 'list', 'm.yaml', '--json']);
      const rows = JSON.parse(stdout) as { address: string; status: string }[];
      return rows.map(({ address, status }) => `${address.replace(/^upload\/.*/, 'upload')} ${status}`);
    },
    apply,
  };
}

/** The last record of a run in the state. */
export async function lastRun(campaign: CampaignFolder): Promise<Record<string, number>> {
  const log = await campaign.read('spring.default.state.jsonl');
  const { event } = JSON.parse(log.trimEnd().split('\n').at(-1) ?? '') as {
    event: { nodes: Record<string, number> };
  };
  return event.nodes;
}
