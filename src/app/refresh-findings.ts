/** What readings of the service say beside what the state knows: events for the log, and a report for people. Pure. */
import { type Address, takeAddress } from '../model/address.ts';
import type { Problem } from '../model/problem.ts';
import type { Drift } from '../model/result.ts';
import { currentTake, type RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import { canonicalJson } from '../util/canonical-json.ts';
import { defined } from '../util/defined.ts';
import { type Json, textOf } from '../util/json.ts';
import { isKnownGone, type Known, type Reading } from './read-back.ts';

/** Addresses, in the order of the state. */
export interface Findings {
  readonly read: number;
  readonly changed: readonly {
    readonly address: Address;
    readonly drift: Drift;
    readonly was: Readonly<Record<string, Json>>;
  }[];
  /** `isHere`: its files came. */
  readonly gone: readonly { readonly address: Address; readonly hasFiles: boolean }[];
  readonly back: readonly Address[];
  readonly unclear: readonly { readonly address: Address; readonly problem: Problem }[];
}

/** An account or a gateway that answers 404 for everything says nothing about single things. */
export function isSpell(readings: readonly Reading[]): boolean {
  const told = readings.filter(({ known }) => !isKnownGone(known));
  const absent = told.filter(({ came }) => came === 'absent').length;
  return absent > 2 && absent * 2 > told.length;
}

/** Of two readings what both say: what was there once and not the other time is not gone. */
export function sameTwice(first: Reading, second: Reading): Reading {
  const { known } = first;
  if (second.came === 'unclear' || first.came !== second.came)
    return second.came === 'unclear' ? second : { known, came: 'unclear', problem: UNSTEADY };
  if (first.came !== 'here' || second.came !== 'here' || !first.drift) return second;
  const drift = Object.entries(first.drift).filter(
    ([field, value]) =>
      second.drift && canonicalJson(second.drift[field as keyof Drift] ?? null) === canonicalJson(value),
  );
  const { drift: _, ...here } = second;
  return drift.length ? { ...here, drift: Object.fromEntries(drift) } : here;
}

/**
 * Posts have a path of their own, and no request deletes a single one. Where the service has their requests and shows
 * not one post, that path may be away alone: then nothing says that a post is gone.
 */
export function doubtPosts(readings: readonly Reading[]): readonly Reading[] {
  const here = readings.filter(({ came }) => came === 'here').map(({ known }) => known);
  if (here.some(({ type }) => type === 'post')) return readings;
  const requests = new Set(here.map(({ address }) => address));
  return readings.map((reading) => {
    const { known, came } = reading;
    if (came !== 'absent' || known.type !== 'post' || isKnownGone(known)) return reading;
    return requests.has(known.take.request) ? { known, came: 'unclear', problem: POSTS_AWAY } : reading;
  });
}

const POSTS_AWAY: Problem = {
  summary: 'The service shows no post at all, though it has their requests',
  detail: 'It says 404 for every post, though it has their requests. Nothing was concluded from that.',
};

const UNSTEADY: Problem = {
  summary: 'The service said 404 and then had it',
  detail: 'Nothing was concluded from that.',
};

export function findingsOf(readings: readonly Reading[]): Findings {
  return {
    read: readings.length,
    changed: readings.flatMap((reading) => {
      const { known } = reading;
      const drift = reading.came === 'here' ? reading.drift : undefined;
      return drift && known.type === 'product'
        ? [{ address: known.address, drift, was: wasOf(known, drift) }]
        : [];
    }),
    gone: readings.flatMap(({ known, came }) =>
      came === 'absent' ? [{ address: known.address, hasFiles: hasFiles(known) }] : [],
    ),
    back: readings.flatMap(({ known, came }) =>
      came === 'here' && isKnownGone(known) ? [known.address] : [],
    ),
    unclear: readings.flatMap((reading) =>
      reading.came === 'unclear' ? [{ address: reading.known.address, problem: reading.problem }] : [],
    ),
  };
}

/** What the state says of the fields that were changed elsewhere. */
function wasOf({ object }: Extract<Known, { type: 'product' }>, drift: Drift): Record<string, Json> {
  const { address, inputs, result } = object;
  const named = result && 'name' in result ? result.name : undefined;
  const images = Array.isArray(inputs['images']) ? inputs['images'].length : 0;
  const texts: Record<string, Json> = {
    name: textOf(inputs['name']) || (named ?? address.slice('product/'.length)),
    description: textOf(inputs['description']),
    variant: textOf(inputs['variant']),
    images: `${images} of the manifest`,
  };
  return Object.fromEntries(Object.keys(drift).map((field) => [field, texts[field] ?? null]));
}

function hasFiles(known: Known): boolean {
  return known.type === 'post' && known.take.status === 'done' && known.take.files !== undefined;
}

const GONE: Problem = {
  summary: 'The post is gone',
  detail: '`campaign refresh` asked for it twice, and the service says 404, though it has other things.',
};

const REQUEST_GONE: Problem = {
  summary: 'The post is gone',
  detail: '`campaign refresh` found that the service has its request no more.',
};

/** Only what is not in the state yet. */
export function eventsOf(readings: readonly Reading[], state: RunState, at: string): StateEvent[] {
  const learned = readings.flatMap((reading) =>
    reading.came === 'here' && reading.learned ? reading.learned : [],
  );
  const [path] = learned;
  return [
    ...(path ? [{ type: 'learned' as const, at, ...path }] : []),
    ...readings.flatMap((reading) => eventOf(reading, at)),
    ...withTheirRequest(readings, state, at),
  ];
}

function eventOf(reading: Reading, at: string): StateEvent[] {
  const { known, came } = reading;
  const { address } = known;
  const gone = { type: 'refreshed' as const, at, address, found: 'gone' as const };
  if (came === 'absent') {
    if (isKnownGone(known)) return [];
    const isLost = known.type === 'post' && !hasFiles(known);
    return isLost ? [{ type: 'lost', at, address, problem: GONE }] : [gone];
  }
  if (came === 'unclear') return [];
  if (known.type === 'post' && known.take.status === 'lost')
    return reading.media ? [{ type: 'generated', at, address, result: reading.media }] : [];
  const more = defined({ told: reading.told, drift: reading.drift });
  const isNews = isKnownGone(known) || (known.type === 'product' && differs(known, more));
  return isNews ? [{ type: 'refreshed', at, address, found: 'here', ...more }] : [];
}

function differs(
  { object: { result, drift } }: Extract<Known, { type: 'product' }>,
  now: Pick<Extract<Reading, { came: 'here' }>, 'told' | 'drift'>,
): boolean {
  const told = result && 'told' in result ? result.told : undefined;
  const text = (value: object | undefined) => canonicalJson((value ?? null) as Json);
  return text(now.drift) !== text(drift) || (now.told !== undefined && text(now.told) !== text(told));
}

/** Posts that were not finished when their request was deleted: nothing makes them any more. */
function withTheirRequest(readings: readonly Reading[], { media }: RunState, at: string): StateEvent[] {
  const gone = new Set(readings.flatMap(({ known, came }) => (came === 'absent' ? known.address : [])));
  if (!gone.size) return [];
  return [...media.values()].flatMap((post) => {
    const take = currentTake(post);
    if (take?.status !== 'pending' || !gone.has(take.request)) return [];
    return [{ type: 'lost' as const, at, address: takeAddress(post.address, take.n), problem: REQUEST_GONE }];
  });
}
