/**
 * A request that pays again for posts waits until each of them was rechecked. Posts that are there after all, and posts
 * about which the service gave no answer, leave the request; the others are requested.
 */
import { mediaAddress, splitTake, takeAddress, type Address } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import type { PlannedAs, PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { withoutItems } from './narrow-request.ts';
import type { Ended } from './work-source.ts';

/** How the new take of a rechecked post ends without being requested; undefined where it is requested. */
export type Spared = Pick<Ended, 'end' | 'problem'> | undefined;

export interface AfterRechecks {
  readonly request: PlannedAs<'request'> | undefined;
  readonly spared: ReadonlyMap<string, NonNullable<Spared>>;
}

export function createRechecks() {
  const planned = new Map<Address, PlannedNode>();
  const requests: PlannedAs<'request'>[] = [];
  const known = new Map<Address, Spared>();
  const found = new Set<Address>();
  /** By request, the items that left it. */
  const gone = new Map<Address, AfterRechecks['spared']>();

  const isRecheck = (node: PlannedNode): boolean =>
    kindHas(node, 'stored', 'take') && node.again !== undefined && !found.has(node.address);

  function tell(recheck: Address, spared: Spared): Ended[] {
    known.set(recheck, spared);
    return requests.filter(({ after }) => after?.includes(recheck)).flatMap(decide);
  }

  function decide(request: PlannedAs<'request'>): Ended[] {
    const decided = afterRechecks(request, known);
    if (!decided) return [];
    const { post, n } = request.payload;
    const ended = [...decided.spared].flatMap(([item, end]): Ended[] => {
      const node = planned.get(takeAddress(mediaAddress(post, item), n));
      return node ? [{ node, ...end }] : [];
    });
    gone.set(request.address, decided.spared);
    if (!decided.request) {
      const isPutOff = [...decided.spared.values()].some(({ end }) => end === 'put-off');
      ended.push({ node: request, end: isPutOff ? 'put-off' : 'unchanged' });
    }
    return ended;
  }

  return {
    takeIn(nodes: readonly PlannedNode[]): void {
      const after = nodes
        .filter((node) => kindHas(node, 'stored', 'request'))
        .filter((node) => node.after?.length);
      requests.push(...after);
      if (after.length) for (const node of nodes) planned.set(node.address, node);
    },
    /** Whether this node is still a recheck; a post that was found is polled like any other. */
    isRecheck,
    /** A request without the items that left it; undefined where none is left. */
    narrowed(node: PlannedNode): PlannedNode | undefined {
      const spared = gone.get(node.address);
      return spared && kindHas(node, 'stored', 'request')
        ? withoutItems(node, ({ item }) => spared.has(item))
        : node;
    },
    ended: (ended: Ended): Ended[] =>
      isRecheck(ended.node) ? tell(ended.node.address, sparedBy(ended)) : [],
    /** The post is being generated after all: nothing waits for its recheck any more. */
    found(recheck: PlannedNode): Ended[] {
      found.add(recheck.address);
      return tell(recheck.address, THERE);
    },
  };
}

const THERE = { end: 'unchanged' } as const;

/** What the end of a recheck means for a new take of its post. */
export function sparedBy({ end, problem }: Pick<Ended, 'end' | 'problem'>): Spared {
  switch (end) {
    case 'done':
      return THERE;
    case 'unchanged':
    case 'failed':
    case 'lost':
      return undefined;
    case 'rejected':
    case 'unknown':
    case 'put-off':
    case 'pending':
    case 'blocked':
      return { end: 'put-off', problem: notAsked(problem) };
  }
}

function notAsked(problem: Problem | undefined): Problem {
  const cause = problem ? ` ${problem.summary}${problem.detail ? `: ${problem.detail}` : ''}.` : '';
  return {
    summary: 'Not requested again',
    detail: `Nobody could find out whether the post that was requested is there after all.${cause} Run the same command again.`,
  };
}

/** What remains of a request; undefined while one of its rechecks is under way. */
export function afterRechecks(
  request: PlannedAs<'request'>,
  known: ReadonlyMap<Address, Spared>,
): AfterRechecks | undefined {
  const { payload, after = [], whole } = request;
  if (!after.every((address) => known.has(address))) return undefined;
  const ends = new Map(after.map((address) => [splitTake(address).address, known.get(address)]));
  const endOf = (item: string) => ends.get(mediaAddress(payload.post, item));
  const isDivided = whole && payload.items.some(({ item }) => endOf(item));
  const spared = new Map(
    payload.items.flatMap(({ item }) => {
      const end = endOf(item) ?? (isDivided ? AS_A_WHOLE : undefined);
      return end ? [[item, end] as const] : [];
    }),
  );
  return { request: withoutItems(request, ({ item }) => spared.has(item)), spared };
}

const AS_A_WHOLE = {
  end: 'put-off',
  problem: {
    summary: 'Not requested again',
    detail:
      'The post is requested as a whole (number_of_posts), and another part of it is there after all, or could not be looked for: plan again.',
  },
} as const;
