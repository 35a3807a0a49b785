/**
 * The lines of a plan, grouped: first what belongs to one post plan and has one cause, then, where that is still too
 * much to read, causes of one kind, then all post plans that have such a cause, at last all with one sign.
 */
import { type Address, postPlanOf } from '../model/address.ts';
import { kindHas, type NodeKind } from '../model/kinds.ts';
import type { Money } from '../model/money.ts';
import { isDeletion } from '../model/plan.ts';
import { causeKey, causeShape, causesOf, type GroupCause, joinCauses } from './plan-causes.ts';
import { groupBy } from '../util/group-by.ts';
import { type PlanEntry, postOfEntry, type Sign } from './plan-entries.ts';

export type GroupBy = 'cause' | 'kind of cause' | 'kind of cause, all post plans' | 'sign';

/** What a group has of one post plan. */
interface GroupedPosts {
  readonly entries: number;
  /** Instances of the matrix, without a matrix none. */
  readonly instances: ReadonlySet<string>;
  readonly first: Address;
}

export interface PlanGroup {
  readonly sign: Sign;
  readonly kind: NodeKind | undefined;
  readonly first: PlanEntry;
  readonly entries: number;
  /** Uploads, products, concepts and posts, as the numbers of the plan count them. */
  readonly counts: number;
  /** Posts that are paid for them, and what they cost; undefined where one has no price. */
  readonly paid: number;
  readonly cost: Money | undefined;
  /** Posts that a deletion takes along. */
  readonly goesAlong: number;
  readonly bytes: number;
  readonly types: ReadonlySet<string>;
  /** By the key of their post plan; empty for other things than posts and their requests. */
  readonly plans: ReadonlyMap<string, GroupedPosts>;
  /** What its first entries are called. */
  readonly names: readonly string[];
  /** Undefined where they have nothing in common. */
  readonly causes: readonly GroupCause[] | undefined;
  readonly shape: string;
}

const NAMED = 100;

/** The finest groups, by their keys in the order of the plan. */
export function groupEntries(entries: Iterable<PlanEntry>): PlanGroup[] {
  const groups = new Map<string, Growing>();
  for (const entry of entries) {
    if (isUncounted(entry)) continue;
    const post = entry.sign === 'request' ? undefined : postOfEntry(entry);
    const plan = post === undefined ? undefined : postPlanOf(post);
    const cause = entry.sign === 'request' || entry.sign === 'rename-file' ? '' : causeKey(entry);
    const key = `${entry.sign} ${entry.kind} ${plan} ${cause}`;
    const group = groups.get(key) ?? begin(entry);
    groups.set(key, group);
    grow(group, entry, post);
  }
  return [...groups.values()];
}

/** A request that waits for something is not sent: its posts say so. */
function isUncounted({ sign, node }: PlanEntry): boolean {
  return sign === 'request' && node?.action !== 'create';
}

interface Growing extends PlanGroup {
  entries: number;
  counts: number;
  paid: number;
  cost: Money | undefined;
  goesAlong: number;
  bytes: number;
  readonly types: Set<string>;
  readonly plans: Map<string, { entries: number; readonly instances: Set<string>; readonly first: Address }>;
  readonly names: string[];
}

function begin(entry: PlanEntry): Growing {
  const { sign, kind } = entry;
  const isOne = sign === 'request' || sign === 'rename-file';
  return {
    sign,
    kind,
    first: entry,
    entries: 0,
    counts: 0,
    paid: 0,
    cost: 0n,
    goesAlong: 0,
    bytes: 0,
    types: new Set(),
    plans: new Map(),
    names: [],
    causes: isOne ? [] : causesOf(entry, 'values'),
    shape: isOne ? '' : causeShape(entry),
  };
}

function grow(group: Growing, entry: PlanEntry, post: string | undefined): void {
  const { address, from, node, types } = entry;
  group.entries += 1;
  group.counts += entry.counts;
  group.paid += entry.paid;
  group.cost = plus(group.cost, entry.cost);
  for (const type of types) group.types.add(type);
  if (node && isDeletion(node)) group.goesAlong += node.payload.posts.length;
  const isPhoto = node && kindHas(node, 'localFiles', 'reads');
  if (isPhoto) group.bytes += node.payload.bytes;
  if (group.names.length < NAMED)
    group.names.push(from === undefined ? (isPhoto ? node.payload.file : address) : `${from} → ${address}`);
  if (post === undefined) return;
  const plan = postPlanOf(post);
  const posts = group.plans.get(plan) ?? { entries: 0, instances: new Set(), first: address };
  group.plans.set(plan, posts);
  posts.entries += 1;
  if (post !== plan) posts.instances.add(post);
}

function plus(some: Money | undefined, more: Money | undefined): Money | undefined {
  return some === undefined || more === undefined ? undefined : some + more;
}

/** Fewer groups, of the finest ones. */
export function joinGroups(groups: readonly PlanGroup[], by: GroupBy): PlanGroup[] {
  if (by === 'cause') return [...groups];
  const alike = groupBy(groups, ({ sign, kind, shape, plans }) => {
    const plan = by === 'kind of cause' ? [...plans.keys()].join() : '';
    return `${sign} ${kind} ${plan} ${by === 'sign' ? '' : shape}`;
  });
  return [...alike.values()].flatMap((some) => joined(some) ?? []);
}

function joined(groups: readonly PlanGroup[]): PlanGroup | undefined {
  const [first, ...others] = groups;
  if (!first || !others.length) return first;
  const sum = (of: (group: PlanGroup) => number) => groups.reduce((all, group) => all + of(group), 0);
  const isAlike = others.every(({ shape }) => shape === first.shape);
  return {
    ...first,
    entries: sum(({ entries }) => entries),
    counts: sum(({ counts }) => counts),
    paid: sum(({ paid }) => paid),
    cost: groups.reduce<Money | undefined>((all, { cost }) => plus(all, cost), 0n),
    goesAlong: sum(({ goesAlong }) => goesAlong),
    bytes: sum(({ bytes }) => bytes),
    types: new Set(groups.flatMap(({ types }) => [...types])),
    plans: joinedPlans(groups),
    names: groups.flatMap(({ names }) => names).slice(0, NAMED),
    causes: isAlike ? joinCauses(groups.map(({ causes = [] }) => causes)) : undefined,
  };
}

function joinedPlans(groups: readonly PlanGroup[]): PlanGroup['plans'] {
  const all = groups.flatMap(({ plans }) => [...plans]);
  const byPlan = groupBy(all, ([plan]) => plan);
  return new Map(
    [...byPlan].map(([plan, parts]) => {
      const instances = new Set(parts.flatMap(([, posts]) => [...posts.instances]));
      const entries = parts.reduce((sum, [, posts]) => sum + posts.entries, 0);
      return [plan, { entries, instances, first: parts[0]?.[1].first ?? '' }];
    }),
  );
}
