import { type Address, splitMedia, splitTake } from '../model/address.ts';
import { type Prices, requestCost } from '../model/budget.ts';
import { kindHas, kindOf, type NodeKind } from '../model/kinds.ts';
import { type Money, moneyOf } from '../model/money.ts';
import type { RequestPayload } from '../model/payload.ts';
import {
  type Action,
  type EditedPost,
  type Move,
  type Noted,
  type Plan,
  type PlannedNode,
  type Reason,
} from '../model/plan.ts';
import { textOf } from '../util/json.ts';
import { isCounted, plannedAddress } from './plan-summary.ts';

/**
 * What a line of a plan says: its action, or what keeps it from being one. `again`: a post that was paid for before and
 * is requested once more; `recheck`: one that is asked about before that.
 */
export type Sign =
  | Action
  | 'again'
  | 'recheck'
  | 'request'
  | 'rename-file'
  | 'kept'
  | 'beyond-budget'
  | 'held'
  | 'held-up'
  | 'withheld'
  | 'gone'
  | 'failed'
  | 'unknown'
  | 'left-alone';

/** One line of a plan, with the causes below it. */
export interface PlanEntry {
  readonly sign: Sign;
  readonly address: Address;
  readonly kind: NodeKind | undefined;
  readonly reasons: readonly Reason[];
  /** How many uploads, products, concepts and posts the numbers of the plan count it as. */
  readonly counts: number;
  /** Posts that are paid for it, and what they cost; undefined where one has no price. */
  readonly paid: number;
  readonly cost: Money | undefined;
  /** Of the posts that are paid. */
  readonly types: readonly string[];
  readonly node?: PlannedNode;
  readonly noted?: Noted;
  /** Why it is kept, left or not deleted. */
  readonly why?: string;
  readonly from?: string;
}

export const LEFT_ALONE = 'left alone: the manifest no longer names it';

/** All lines of a plan, in the order of their work; what needs a decision stands before what is left alone. */
export function* planEntries(plan: Plan): Iterable<PlanEntry> {
  for (const move of plan.moves) yield moved('move', move);
  yield* nodeEntries(plan);
  for (const move of plan.fileMoves) yield moved('rename-file', move);
  for (const { address, reasons, why } of plan.kept) yield { ...line('kept', address, reasons), why };
  for (const address of plan.beyondBudget) yield { ...line('beyond-budget', address), counts: 1 };
  yield* openEntries(plan);
  for (const [address, why] of leftAloneEntries(plan)) yield { ...line('left-alone', address), why };
}

/** What no later run resolves by itself. */
export function* openEntries({ held, deletions, failed, unknown, cost }: Plan): Iterable<PlanEntry> {
  const prices = pricesOf(cost);
  for (const post of held) yield heldEntry(post, prices);
  const { withheld = [], because } = deletions ?? {};
  for (const node of because ? withheld : [])
    yield { ...line('withheld', node.address), counts: 1, node, ...(because && { why: because }) };
  for (const noted of failed) yield notedEntry(noted.isGone ? 'gone' : 'failed', noted);
  for (const noted of unknown) yield notedEntry('unknown', noted);
}

function line(sign: Sign, address: Address, reasons: readonly Reason[] = []): PlanEntry {
  return { sign, address, kind: kindOf(address), reasons, counts: 0, paid: 0, cost: 0n, types: [] };
}

function moved(sign: 'move' | 'rename-file', { from, to }: Move): PlanEntry {
  const kind = sign === 'move' ? kindOf(to) : undefined;
  return { ...line(sign, to), kind, from, counts: sign === 'move' ? 1 : 0 };
}

function notedEntry(sign: 'gone' | 'failed' | 'unknown', noted: Noted): PlanEntry {
  return { ...line(sign, noted.address), counts: noted.counts, noted };
}

/** With what another take of it would cost. */
function heldEntry({ address, reasons, again, heldBy }: EditedPost, prices: Prices): PlanEntry {
  return {
    ...line(heldBy ? 'held-up' : 'held', address, reasons),
    counts: 1,
    paid: again?.numberOfPosts ?? 1,
    cost: again && requestCost(again, prices),
    types: again?.items.map(({ payload }) => payload.post_type) ?? [],
  };
}

/** A request pays for its surplus posts, too, which are no items: they are said with the first of its posts. */
function* nodeEntries({ nodes, cost }: Plan): Iterable<PlanEntry> {
  const prices = pricesOf(cost);
  let surplus = { posts: 0, cost: 0n as Money | undefined };
  for (const node of nodes) {
    if (kindHas(node, 'stored', 'files')) continue;
    const entry = {
      ...line(signOf(node), plannedAddress(node), node.reasons),
      counts: isCounted(node) ? 1 : 0,
      node,
    };
    if (kindHas(node, 'stored', 'request') && node.action === 'create') {
      const all = requestCost(node.payload, prices);
      surplus = surplusOf(node.payload, prices);
      yield { ...entry, paid: node.payload.numberOfPosts, cost: all };
    } else if (kindHas(node, 'stored', 'take') && isPaid(node)) {
      const type = textOf(node.inputs?.['post_type']);
      const own = prices[type as keyof Prices];
      const price = own === undefined || surplus.cost === undefined ? undefined : own + surplus.cost;
      yield { ...entry, paid: 1 + surplus.posts, cost: price, types: [type] };
      surplus = { posts: 0, cost: 0n };
    } else yield entry;
  }
}

function surplusOf(payload: RequestPayload, prices: Prices) {
  const all = requestCost(payload, prices);
  const listed = requestCost({ ...payload, numberOfPosts: payload.items.length }, prices);
  const cost = all === undefined || listed === undefined ? undefined : all - listed;
  return { posts: payload.numberOfPosts - payload.items.length, cost };
}

function isPaid({ action }: PlannedNode): boolean {
  return action === 'create' || action === 'replace';
}

function signOf(node: PlannedNode): Sign {
  if (kindHas(node, 'stored', 'request')) return 'request';
  if (!kindHas(node, 'stored', 'take')) return node.action;
  if (node.action === 'create' && node.reasons.length && !isNew(node.reasons)) return 'again';
  return node.action === 'resume' && node.again ? 'recheck' : node.action;
}

/** Also where it may be an earlier one, which its other reasons say. */
export function isNew([first]: readonly Reason[]): boolean {
  return first !== undefined && first.field === undefined && first.summary === 'new';
}

function pricesOf(cost: Plan['cost']): Prices {
  return Object.fromEntries(
    Object.entries(cost?.prices ?? {}).map(([type, price]) => [type, moneyOf(price)]),
  );
}

/** What the manifest no longer names, and what becomes of it. */
export function leftAloneEntries({
  leftAlone,
  deletions,
}: Plan): (readonly [address: string, why: string])[] {
  const stays = new Map(deletions?.stays.map(({ address, why }) => [address, `stays: ${why}`]));
  const withheld = deletions?.withheld ?? [];
  const itemOf = (take: Address) => splitTake(take).address;
  const listed = new Set(withheld.flatMap(({ address, payload }) => [address, ...payload.posts.map(itemOf)]));
  return leftAlone.flatMap((address) =>
    listed.has(address) ? [] : [[address, stays.get(address) ?? LEFT_ALONE]],
  );
}

/** The post, with its instance, that an entry is about: `grid/night+tote`; undefined for other things. */
export function postOfEntry({ address, kind, node, sign }: PlanEntry): string | undefined {
  if (sign === 'rename-file') return undefined;
  if (node && 'payload' in node && 'post' in node.payload) return node.payload.post;
  if (kind === 'media') return splitMedia(splitTake(address).address).post;
  return kind === 'media-config' ? splitTake(address).address.slice('media-config/'.length) : undefined;
}
