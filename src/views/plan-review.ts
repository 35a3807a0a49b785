/**
 * A plan as people review it: what is paid for, post by post, and everything else by address. Lists are cut where nobody
 * could show more of them, and say how long they are.
 */
import { mediaAddress, postPlanOf } from '../model/address.ts';
import { requestCost } from '../model/budget.ts';
import { isNew } from './plan-entries.ts';
import type { Graph } from '../model/graph.ts';
import { kindHas } from '../model/kinds.ts';
import { amountOf, type Money, moneyOf } from '../model/money.ts';
import { isDeletion, type Plan, type PlannedAs, type PlannedNode, type Reason } from '../model/plan.ts';
import type { ItemPayload, ObjectRef } from '../model/payload.ts';
import { textOf } from '../util/json.ts';
import { causeText } from './cause-words.ts';
import { isCounted, plannedAddress, rechecksOf } from './plan-summary.ts';

/** A comment of 65,000 characters has no room for more rows. */
const MOST_ROWS = 1_500;

export interface PlanReview {
  readonly plan: Pick<Plan, 'newPosts' | 'replaced' | 'isFree' | 'cost' | 'beyondBudget'>;
  /** Finished posts that are requested again. */
  readonly again: PostGroup;
  /** Posts that are requested after something else than a finished one: they failed, or were given up. */
  readonly retried: number;
  /** Of the new ones, those that may be earlier ones, which the manifest no longer names. */
  readonly heldUp: number;
  /** The other new posts, by post plan. `posts` counts those beyond the items (`number_of_posts`), too. */
  readonly plans: readonly (PostGroup & { readonly post: string })[];
  readonly lists: Readonly<Record<ListName, List>>;
}

export interface PostGroup {
  readonly posts: number;
  /** Of them, those of items; `rows` may be fewer. */
  readonly items: number;
  /** Null where a post has no price; absent without a budget. */
  readonly amount?: number | null;
  readonly rows: readonly ReviewedPost[];
}

export interface ReviewedPost {
  readonly address: string;
  readonly type: string;
  readonly ratio: string;
  readonly products: readonly string[];
  readonly captions: readonly string[];
  readonly photos: readonly string[];
  readonly reasons: readonly Reason[];
}

export type ListName =
  | 'deleted'
  | 'withheld'
  | 'held'
  | 'heldUp'
  | 'unknown'
  | 'gone'
  | 'failed'
  | 'beyond'
  | 'changed'
  | 'made'
  | 'moved'
  | 'kept'
  | 'waiting'
  | 'rechecked'
  | 'orphaned';

export interface List {
  readonly total: number;
  readonly entries: readonly Listed[];
}

export interface Listed {
  readonly address: string;
  readonly to?: string;
  readonly why?: string;
  readonly reasons?: readonly Reason[];
}

/** `objects` of the graph; a plan without work needs none. `orphans`: addresses that are left alone, and why where it is special. */
export function reviewPlan(
  plan: Plan,
  objects: Graph['objects'],
  orphans: readonly (readonly [address: string, why: string | undefined])[],
): PlanReview {
  const requests = new Map(
    plan.nodes.listed.flatMap((node) =>
      kindHas(node, 'stored', 'request') && !isDeletion(node) && node.action === 'create'
        ? [[node.address, node] as const]
        : [],
    ),
  );
  const groups = groupPosts(plan, requests, objects);
  const { newPosts, replaced, isFree, beyondBudget } = plan;
  return {
    plan: { newPosts, replaced, isFree, beyondBudget, ...(plan.cost && { cost: plan.cost }) },
    ...groups,
    lists: listsOf(plan, orphans),
  };
}

type Request = PlannedAs<'request'>;
type Take = PlannedAs<'take'>;

interface Growing {
  posts: number;
  items: number;
  money: Money | undefined;
  readonly rows: ReviewedPost[];
}

function groupPosts(plan: Plan, requests: ReadonlyMap<string, Request>, objects: Graph['objects']) {
  const prices = Object.fromEntries(
    Object.entries(plan.cost?.prices ?? {}).map(([type, price]) => [type, moneyOf(price)]),
  );
  const again: Growing = { posts: 0, items: 0, money: 0n, rows: [] };
  const plans = new Map<string, Growing>();
  let retried = 0;
  let heldUp = 0;
  for (const { payload } of requests.values()) {
    const group = groupAt(plans, postPlanOf(payload.post));
    group.posts += payload.numberOfPosts;
    group.money = added(group.money, requestCost(payload, prices));
  }
  const rowOf = rowsFrom(requests, objects);
  for (const node of plan.nodes) {
    if (!kindHas(node, 'stored', 'take') || isDeletion(node)) continue;
    const isAsked = node.action === 'create' || node.action === 'replace';
    if (!isAsked || !requests.has(node.payload.request)) continue;
    const group = groupAt(plans, postPlanOf(node.payload.post));
    if (node.action === 'replace') {
      const price = prices[textOf(node.inputs?.['post_type'])];
      again.posts += 1;
      again.money = added(again.money, price);
      group.posts -= 1;
      group.money = added(group.money, price === undefined ? undefined : -price);
    } else if (!isNew(node.reasons)) retried += 1;
    else if (node.reasons.length > 1) heldUp += 1;
    const listed = node.action === 'replace' ? again : group;
    listed.items += 1;
    if (listed.rows.length < MOST_ROWS) listed.rows.push(rowOf(node));
  }
  const shown = ({ money, ...group }: Growing): PostGroup => ({
    ...group,
    ...(plan.cost && { amount: money === undefined ? null : amountOf(money) }),
  });
  const others = [...plans].filter(([, { posts }]) => posts > 0);
  return {
    again: shown(again),
    retried,
    heldUp,
    plans: others.map(([post, group]) => ({ post, ...shown(group) })),
  };
}

function groupAt(groups: Map<string, Growing>, post: string): Growing {
  const group = groups.get(post) ?? { posts: 0, items: 0, money: 0n, rows: [] };
  groups.set(post, group);
  return group;
}

function added(a: Money | undefined, b: Money | undefined): Money | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/** The items of a request are looked for once, because its posts come one after the other. */
function rowsFrom(requests: ReadonlyMap<string, Request>, objects: Graph['objects']) {
  let latest: { readonly request: string; readonly items: ReadonlyMap<string, ItemPayload> } | undefined;
  const itemOf = ({ payload: { request, requestedAs } }: Take) => {
    if (latest?.request !== request) {
      const asked = requests.get(request)?.payload.items ?? [];
      latest = { request, items: new Map(asked.map(({ item, payload }) => [item, payload])) };
    }
    return latest.items.get(requestedAs);
  };
  return (node: Take): ReviewedPost => {
    const item = itemOf(node);
    return {
      address: mediaAddress(node.payload.post, node.payload.item),
      type: item?.post_type ?? '',
      ratio: item?.metadata.aspect_ratio ?? '',
      products: [...new Set(item?.assets.map(({ product }) => nameOf(product)))],
      captions: item?.descriptions ?? [],
      photos: [...new Set(item?.assets.flatMap((asset) => photosOf(asset, objects)))],
      reasons: node.reasons.filter(({ summary, field }) => field !== undefined || summary !== 'new'),
    };
  };
}

function nameOf(ref: ObjectRef): string {
  return 'id' in ref ? ref.id : ref.address.slice(ref.address.indexOf('/') + 1);
}

/** Names without folders and queries: the product says where they are. */
function photosOf({ product, url }: ItemPayload['assets'][number], objects: Graph['objects']): string[] {
  if (url !== undefined) return [baseName(url)];
  const object = 'address' in product ? objects.get(product.address) : undefined;
  if (!object || !('images' in object.payload)) return [];
  return object.payload.images.flatMap((image) => {
    if ('url' in image) return [baseName(image.url)];
    const upload = objects.get(image.upload);
    return upload && 'file' in upload.payload ? [baseName(upload.payload.file)] : [];
  });
}

function baseName(path: string): string {
  return (
    path
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? ''
  );
}

function listsOf(
  plan: Plan,
  orphans: readonly (readonly [address: string, why: string | undefined])[],
): PlanReview['lists'] {
  const rechecks = new Set(rechecksOf(plan));
  const counted = plan.nodes.filter(isCounted);
  const nodes = (which: (node: PlannedNode) => boolean) => list(counted.filter(which), nodeEntry);
  const failed = (gone: boolean) =>
    list(
      plan.failed.filter(({ isGone = false }) => isGone === gone),
      ({ address, problem }) => ({ address, ...(problem && { why: causeText(problem) }) }),
    );
  const held = (isNew: boolean) =>
    list(
      plan.held.filter(({ heldBy }) => Boolean(heldBy) === isNew),
      ({ address, reasons }) => ({ address, reasons }),
    );
  const isPost = (node: PlannedNode) => kindHas(node, 'stored', 'take');
  return {
    deleted: nodes(isDeletion),
    withheld: list(plan.deletions?.withheld ?? [], ({ address }) => ({ address })),
    held: held(false),
    heldUp: held(true),
    unknown: list(plan.unknown, ({ address }) => ({ address })),
    gone: failed(true),
    failed: failed(false),
    beyond: list(plan.beyondBudget, (address) => ({ address })),
    changed: nodes(({ action }) => action === 'update'),
    made: nodes((node) => !isPost(node) && node.action === 'create'),
    moved: list(plan.moves, ({ from, to }) => ({ address: from, to })),
    kept: list(plan.kept, ({ address, why, reasons }) => ({
      address,
      why: why === 'approved' ? 'approved' : 'regenerate: never',
      reasons,
    })),
    waiting: nodes((node) => (node.action === 'resume' || node.action === 'blocked') && !rechecks.has(node)),
    rechecked: nodes((node) => rechecks.has(node)),
    orphaned: list(orphans, ([address, why]) => ({ address, ...(why !== undefined && { why }) })),
  };
}

/** Photos are listed by their paths, with the hash behind. */
function nodeEntry(node: PlannedNode): Listed {
  const address = plannedAddress(node);
  const reasons = node.reasons.filter(({ summary, field }) => field !== undefined || summary !== 'new');
  return kindHas(node, 'localFiles', 'reads')
    ? { address: node.payload.file, why: address, reasons }
    : { address, reasons };
}

function list<Entry>(all: readonly Entry[], listed: (entry: Entry) => Listed): List {
  return { total: all.length, entries: all.slice(0, MOST_ROWS).map(listed) };
}
