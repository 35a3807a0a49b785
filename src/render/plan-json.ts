import { kindHas } from '../model/kinds.ts';
import { type Prices, requestCost } from '../model/budget.ts';
import { amountOf, moneyOf } from '../model/money.ts';
import type { RequestPayload } from '../model/payload.ts';
import {
  type Deletion,
  type Deletions,
  isDeletion,
  type Plan,
  type PlannedAs,
  type Reason,
} from '../model/plan.ts';
import type { PlanCost } from '../model/plan-cost.ts';
import type { Locate } from '../model/source.ts';
import { isJsonObject, type JsonObject, textOf } from '../util/json.ts';
import { buildsOn, type Explained } from './explain-text.ts';
import { deletedWith } from '../views/deletion-words.ts';
import {
  countNoted,
  countToDownload,
  isCounted,
  rechecksOf,
  pendingPosts,
  plannedAddress,
  plannedAt,
  summarise,
} from '../views/plan-summary.ts';

/** `plan --json`, for `jsonLine`: the changes are made while they are written. */
export function planJson(plan: Plan, locate: Locate) {
  const requests = plan.nodes.listed.flatMap((node) => {
    if (!kindHas(node, 'stored', 'request') || node.action === 'blocked') return [];
    const { numberOfPosts: posts, items } = node.payload;
    const cost = plan.cost ? requestPrice(node.payload, plan.cost) : null;
    return [{ address: node.address, posts, items: items.map(({ item }) => item), cost }];
  });
  return {
    format_version: '1.0',
    changes: changesJson(plan, locate),
    requests,
    held: plan.held.map(({ address, reasons, heldBy }) => ({
      address,
      ...(heldBy && { held_by: heldBy }),
      reasons: reasonsJson(reasons, locate),
    })),
    kept: plan.kept.map(({ address, why, reasons }) => ({
      address,
      why,
      reasons: reasonsJson(reasons, locate),
    })),
    left_alone: plan.leftAlone,
    ...(plan.deletions && deletionsJson(plan.deletions)),
    not_selected: plan.notSelected,
    summary: { ...summarise(plan) },
    pending: pendingPosts(plan),
    to_download: countToDownload(plan),
    looked_for: rechecksOf(plan).map(({ address }) => address),
    failed: countNoted(plan.failed),
    gone: plan.failed.flatMap(({ address, isGone }) => (isGone ? address : [])),
    unknown: countNoted(plan.unknown),
    new_posts: plan.newPosts,
    over_budget: plan.beyondBudget,
    cost: plan.cost?.amount ?? null,
    ...(plan.cost && budgetJson(plan.cost)),
  };
}

function deletionsJson({ stays, withheld, because }: Deletions) {
  const addresses = withheld.map(({ address }) => address);
  return { stays, not_deleted: { because: because ?? null, addresses } };
}

function requestPrice(payload: RequestPayload, { prices }: PlanCost): number | null {
  const money = Object.entries(prices).map(([type, price]) => [type, moneyOf(price)]);
  const cost = requestCost(payload, Object.fromEntries(money) as Prices);
  return cost === undefined ? null : amountOf(cost);
}

/** Only the limits that the manifest sets. */
export function budgetJson({ currency, limits }: PlanCost) {
  const budget: Record<string, Record<string, JsonObject>> = {};
  for (const { per, of, spent, most, isExceeded } of limits)
    (budget[per] ??= {})[of] = { spent, limit: most, exceeded: isExceeded };
  return { currency: currency ?? null, budget };
}

/** The reasons are the last causes of each chain. */
function* changesJson({ moves, nodes, cost }: Plan, locate: Locate): Iterable<JsonObject> {
  for (const { from, to } of moves) yield { address: to, action: 'move', from, reasons: [] };
  for (const node of nodes) {
    const { action, reasons } = node;
    if (!isCounted(node) || action === 'resume') continue;
    yield {
      address: plannedAddress(node),
      action,
      ...(kindHas(node, 'stored', 'take') && postJson(node, cost)),
      ...(isDeletion(node) && deletionJson(node)),
      reasons: reasonsJson(reasons, locate),
    };
  }
}

/** `posts`: takes that go with a request. */
function deletionJson({ payload: { id, posts } }: Deletion): JsonObject {
  return { id, ...(posts.length > 0 && { posts }) };
}

function postJson({ inputs = {} }: PlannedAs<'take'>, cost: PlanCost | undefined): JsonObject {
  const { post_type = null, metadata } = inputs;
  const aspect_ratio = (isJsonObject(metadata) && metadata['aspect_ratio']) || null;
  return { post_type, aspect_ratio, cost: cost?.prices[textOf(post_type)] ?? null };
}

export function explainJson(address: string, explained: Explained, locate: Locate): JsonObject {
  const { plan } = explained;
  const node = plannedAt(address, plan);
  const held = plan.held.find((each) => each.address === address);
  const goesWith = deletedWith(address, plan);
  return {
    address,
    action: goesWith?.action ?? node?.action ?? (held ? (held.heldBy ? 'held-up' : 'held') : 'none'),
    reasons: reasonsJson(node?.reasons ?? held?.reasons ?? [], locate),
    builds_on: [...buildsOn(address, explained)],
  };
}

function reasonsJson(reasons: readonly Reason[], locate: Locate): JsonObject[] {
  return reasons.flatMap((reason): JsonObject[] => {
    if (reason.because?.length) {
      return reasonsJson(reason.because, locate).map((leaf) => ({
        ...leaf,
        address: leaf['address'] ?? reason.address,
      }));
    }
    const { summary, field, from, to, source, address } = reason;
    const position = source === undefined ? undefined : locate(source);
    return [{ address, summary, field, from, to, file: position?.file, line: position?.line }];
  });
}
