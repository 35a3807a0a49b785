import { kindHas } from '../model/kinds.ts';
import type { Plan, Reason } from '../model/plan.ts';
import type { Locate } from '../model/source.ts';
import type { JsonObject } from '../util/json.ts';
import { buildsOn, type Explained } from './explain-text.ts';
import {
  countNoted,
  isCounted,
  rechecksOf,
  pendingPosts,
  plannedAddress,
  plannedAt,
  summarise,
} from '../views/plan-summary.ts';

/** `plan --json`, for `jsonLine`: the changes are made while they are written. */
export function planJson(plan: Plan, locate: Locate) {
  const requests = plan.nodes.flatMap((node) => {
    if (!kindHas(node, 'stored', 'request') || node.action === 'blocked') return [];
    const { numberOfPosts: posts, items } = node.payload;
    return [{ address: node.address, posts, items: items.map(({ item }) => item) }];
  });
  return {
    format_version: '1.0',
    changes: changesJson(plan, locate),
    requests,
    held: plan.held.map(({ address, reasons }) => ({ address, reasons: reasonsJson(reasons, locate) })),
    kept: plan.approved.map(({ address, reasons }) => ({
      address,
      why: 'approved',
      reasons: reasonsJson(reasons, locate),
    })),
    left_alone: plan.leftAlone,
    not_selected: plan.notSelected,
    summary: { ...summarise(plan) },
    pending: pendingPosts(plan),
    looked_for: rechecksOf(plan).map(({ address }) => address),
    failed: countNoted(plan.failed),
    unknown: countNoted(plan.unknown),
    new_posts: plan.newPosts,
    cost: null,
  };
}

/** The reasons are the last causes of each chain. */
function* changesJson({ moves, nodes }: Plan, locate: Locate): Iterable<JsonObject> {
  for (const { from, to } of moves) yield { address: to, action: 'move', from, reasons: [] };
  for (const node of nodes) {
    const { action, reasons } = node;
    if (!isCounted(node) || action === 'resume') continue;
    yield { address: plannedAddress(node), action, reasons: reasonsJson(reasons, locate) };
  }
}

export function explainJson(address: string, explained: Explained, locate: Locate): JsonObject {
  const { plan } = explained;
  const node = plannedAt(address, plan);
  const held = plan.held.find((each) => each.address === address);
  return {
    address,
    action: node?.action ?? (held ? 'held' : 'none'),
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
