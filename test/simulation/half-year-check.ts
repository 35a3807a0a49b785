/** What must hold in all the nights besides D, L, U, B and S, told by the service's own ledger and by the true manifest. */
import { withPeriod } from '../../src/model/period.ts';
import { isJsonObject, type Json, textOf } from '../../src/util/json.ts';
import type { RunState } from '../../src/model/run-state.ts';
import { type CampaignWords, graphOf } from '../support/campaign.ts';
import { firstName } from '../support/crash-check.ts';
import type { CrashWorld, Made } from '../support/crash-world.ts';

export interface Watch {
  /**
   * After each run: why something was deleted that had to stay, or a result is lost. `words` is what people have
   * written, whatever of it the run could see; `may` is what its command may send.
   */
  readonly look: (seen: { words: CampaignWords; may: 'all' | 'reads'; state: RunState }) => string[];
  /** Takes in what came since, from whomever. */
  readonly catchUp: (words: CampaignWords) => void;
  /** The last thing that happened at the service was done by somebody else. */
  readonly elsewhere: (what: { readonly deleted: string } | { readonly changed: string }) => void;
  /** Whether a request that is still there, or that others have deleted, was sent with it. */
  readonly isNeeded: (id: string) => boolean;
  readonly deletions: () => number;
}

export function createWatch(world: CrashWorld): Watch {
  const requests = new Map<string, ReadonlySet<string>>();
  /** References of what others have deleted: its finished posts are kept, and so may be what they show. */
  const former: ReadonlySet<string>[] = [];
  const deleted = new Set<string>();
  const changed = new Set<string>();
  /** Items that had a finished post. */
  const had = new Set<string>();
  const late: string[] = [];
  let seen = 0;
  let counted = 0;

  /** In the order in which the service did it. */
  function replay(words: CampaignWords, may: 'all' | 'reads'): string[] {
    const named = namesIn(words);
    const found: string[] = [];
    for (const { kind, action, id, request } of world.service.ledger.slice(seen)) {
      if (may === 'reads') found.push(`W: a wait sent a ${action} of a ${kind}`);
      if (action === 'create' && kind === 'media-config') requests.set(id, referencesOf(request));
      if (action !== 'delete') continue;
      counted += 1;
      deleted.add(id);
      requests.delete(id);
      const made = world.made.find((one) => one.id === id);
      if (made) found.push(...whyNot(made, named));
      for (const [config, references] of requests)
        if (references.has(id))
          found.push(`P: ${kind} ${id} was deleted, and the request ${config} needs it`);
    }
    seen = world.service.ledger.length;
    return found;
  }

  function results(words: CampaignWords, state: RunState): string[] {
    const named = itemsIn(words);
    for (const item of had) if (!named.has(item) && !item.includes('weekly')) had.delete(item);
    const done = new Set<string>();
    for (const { address, takes } of state.media.values()) {
      const isThere = takes.some(({ status, request }) => {
        const id = state.requests.get(request)?.result?.id;
        return status === 'done' && id !== undefined && !deleted.has(id);
      });
      if (isThere) done.add(firstName(address));
    }
    const lost = [...had].filter((item) => !done.has(item));
    for (const item of done) if (named.has(item)) had.add(item);
    return lost.map((item) => `R: the result of ${item} is lost`);
  }

  /** What the state says of others, and nobody did. */
  function suspicions({ objects, requests, media }: RunState): string[] {
    const ids = new Map([...requests].map(([address, { result }]) => [address, result?.id]));
    const gone = [
      ...[...objects.values()].flatMap(({ address, goneAt, result }) =>
        goneAt !== undefined && result && 'id' in result ? [{ address, id: result.id }] : [],
      ),
      ...[...requests.values()].flatMap(({ address, goneAt, result }) =>
        goneAt === undefined ? [] : [{ address, id: result?.id }],
      ),
      ...[...media.values()].flatMap(({ address, takes }) =>
        takes.flatMap(({ goneAt, request }) =>
          goneAt === undefined ? [] : [{ address, id: ids.get(request) }],
        ),
      ),
    ];
    const wrong = gone.filter(({ id = '' }) => !world.takenAway.has(id) && !deleted.has(id));
    const drifted = [...objects.values()].flatMap(({ address, drift, result }) =>
      drift && result && 'id' in result && !changed.has(result.id) ? [address] : [],
    );
    return [
      ...wrong.map(({ address }) => `F: ${address} counts as gone, and nobody has deleted it`),
      ...drifted.map((address) => `F: ${address} counts as changed, and nobody has changed it`),
    ];
  }

  return {
    look: ({ words, may, state }) => [
      ...late.splice(0),
      ...replay(words, may),
      ...results(words, state),
      ...suspicions(state),
    ],
    elsewhere(what) {
      if ('changed' in what) changed.add(what.changed);
      else {
        world.takenAway.add(what.deleted);
        former.push(requests.get(what.deleted) ?? new Set());
        requests.delete(what.deleted);
      }
      seen = world.service.ledger.length;
    },
    catchUp: (words) => void late.push(...replay(words, 'all')),
    isNeeded: (id) => [...requests.values(), ...former].some((references) => references.has(id)),
    deletions: () => counted,
  };
}

/** Ids of the concept and the products of a request. */
function referencesOf(request: Json): ReadonlySet<string> {
  const ids = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const member of value) walk(member);
    else if (isJsonObject(value)) {
      for (const name of ['content_pillar', 'product_id']) ids.add(textOf(value[name]));
      for (const member of Object.values(value)) walk(member);
    }
  };
  walk(request);
  ids.delete('');
  return ids;
}

interface Names {
  readonly objects: ReadonlySet<string>;
  /** Of items as they are wanted now, with their period. */
  readonly fingerprints: ReadonlySet<string>;
  readonly periods: ReadonlySet<string>;
}

function namesIn(words: CampaignWords): Names {
  const { objects, posts } = graphOf(words);
  return {
    objects: new Set([...objects.keys()].map(firstName)),
    fingerprints: new Set(
      posts.flatMap(({ items, period }) =>
        items.map(({ fingerprint }) => `${fingerprint} ${period?.name ?? ''}`),
      ),
    ),
    periods: new Set(posts.flatMap(({ period }) => period?.name ?? [])),
  };
}

function whyNot({ node }: Made, { objects, fingerprints, periods }: Names): string[] {
  if (objects.has(firstName(node.address)))
    return [`P: ${node.address} was deleted, and the manifest names it`];
  if (node.kind !== 'media-config' || !('items' in node.payload)) return [];
  const { items, period } = node.payload;
  if (period !== undefined && !periods.has(period))
    return [`P: ${node.address} of a settled period was deleted`];
  return items
    .filter(({ fingerprint }) => fingerprints.has(`${fingerprint} ${period ?? ''}`))
    .map(({ item }) => `P: ${node.address} was deleted, and its item ${item} is wanted`);
}

function itemsIn({ posts = {} }: CampaignWords): ReadonlySet<string> {
  return new Set(
    Object.entries(posts).flatMap(([base, { items, period }]) =>
      items.map(({ key = '' }) => firstName(`media/${withPeriod(base, period?.name)}/${key}`)),
    ),
  );
}

/** When nothing was in the way any more: what is not there as it is wanted, and what is there that nobody needs. */
export function wrongInTheEnd(
  { world, watch }: { readonly world: CrashWorld; readonly watch: Watch },
  words: CampaignWords,
  { objects, requests, media }: RunState,
): string[] {
  const { ledger } = world.service;
  const deleted = new Set(ledger.flatMap(({ action, id }) => (action === 'delete' ? [id] : [])));
  const open = [...media.values()].flatMap(({ address, takes }) =>
    takes
      .filter(({ request }) => !world.takenAway.has(requests.get(request)?.result?.id ?? ''))
      .flatMap(({ status }) => (status === 'done' ? [] : [`R: ${address} is ${status} in the end`])),
  );
  const products = Object.entries(words.products ?? {}).map(
    ([key, { description = '' }]) => [`product/${key}`, description] as const,
  );
  const unlike = products.flatMap(([address, description]) => {
    const result = objects.get(address)?.result;
    const id = result && 'id' in result ? result.id : '';
    if (deleted.has(id)) return [`F: ${address} is gone in the end`];
    const now = describedAs(world, id);
    return now === description ? [] : [`F: ${address} is "${now}" in the end, and not "${description}"`];
  });
  const concepts = Object.keys(words.concepts ?? {}).map((key) => `concept/${key}`);
  const wanted = new Set([...products.map(([address]) => address), ...concepts].map(firstName));
  const left = world.made.filter(
    ({ id, kind, node }) =>
      kind !== 'media-config' &&
      !deleted.has(id) &&
      !watch.isNeeded(id) &&
      !wanted.has(firstName(node.address)),
  );
  return [...open, ...unlike, ...left.map(({ node }) => `P: ${node.address} is still there in the end`)];
}

/** What a product was last said to be, by whomever. */
function describedAs({ service: { ledger } }: CrashWorld, id: string): string {
  const said = ledger.flatMap((entry) =>
    entry.id === id && isJsonObject(entry.request) && 'description' in entry.request
      ? [textOf(entry.request['description'])]
      : [],
  );
  return said.at(-1) ?? '';
}
