import type { Address } from '../model/address.ts';
import { type Plan, type PlannedNode, PlannedNodes } from '../model/plan.ts';
import type { Replacements } from './decide-post.ts';
import { draftPlan, type PlanDraft, type PlanInput } from './draft-plan.ts';
import { beyondLimits, costOfPlan } from './plan-cost.ts';
import { requestNumbers } from '../match/item-numbers.ts';
import { planPost } from './plan-requests.ts';
import { planOpenTakes } from './plan-takes.ts';
import { applyFileMoves, planFileMoves } from './take-files.ts';

/** Graph ∪ state → what a run will do, with the reason for each node. Pure: the same inputs give the same plan. */
export function makePlan(options: PlanInput & { readonly replacements: Replacements }): Plan {
  return finishPlan(draftPlan(options), options.replacements);
}

/** `deletions`: whether somebody has agreed to them. */
export function finishPlan(
  draft: PlanDraft,
  replacements: Replacements,
  deletions: Replacements = replacements,
): Plan {
  const { outputs, objects, matched } = draft;
  const fileMoves = planFileMoves(matched.state, outputs, draft.isOwn);
  // What steps aside for a new take lies under its new name by then.
  const state = applyFileMoves(matched.state, fileMoves);
  const { lettingGo } = draft;
  const context = { state, outputs, lettingGo, blocked: objects.blocked, nextRequest: requestNumbers(state) };
  const planned = (beyond: ReadonlySet<Address>) =>
    draft.posts.map((post) => planPost(post, { replacements, beyond }, context));
  const wanted = planned(NONE);
  const { purse } = draft;
  const beyond = purse ? beyondLimits(nodesOf(wanted), rejectedIn(wanted), purse) : NONE;
  const posts = beyond.size ? planned(beyond) : wanted;
  const isRefused = beyond.size > 0 && purse?.excess === 'nothing';
  const renewed = new Set(posts.flatMap((post) => post.renewed));
  const rechecked = new Set(posts.flatMap(({ nodes: [request] }) => request?.after ?? []));
  const deleted = settleDeletions(draft, deletions);
  const open = planOpenTakes(draft, { state, renewed, rechecked, removed: deleted.removed });
  const plan: Plan = {
    nodes: new PlannedNodes(
      [isRefused ? [] : objects.nodes, ...posts.map(({ nodes }) => nodes), open, deleted.nodes].flat(),
    ),
    moves: matched.moves,
    fileMoves,
    unchanged: objects.unchanged + posts.reduce((sum, post) => sum + post.unchanged, 0),
    newPosts: posts.reduce((sum, post) => sum + post.newPosts, 0),
    replaced: posts.reduce((sum, post) => sum + post.replaced, 0),
    rejected: posts.reduce((sum, post) => sum + post.rejected.length, 0),
    ...(purse && { cost: costOfPlan(nodesOf(posts), nodesOf(wanted), purse) }),
    isFree: draft.isFree,
    beyondBudget: [...beyond],
    failed: [...objects.givenUp, ...objects.gone, ...posts.flatMap(({ failed }) => failed)],
    held: posts.flatMap(({ held }) => held),
    kept: posts.flatMap(({ kept }) => kept),
    ...draft.noted,
    ...deleted.said,
  };
  const { again } = draft.letGo;
  // A run that leaves anything unasked lets go of nothing.
  const addresses = needsConsent(plan) ? [] : draft.letGo.addresses;
  return again.length || addresses.length ? { ...plan, letGo: { addresses, again } } : plan;
}

/** Whether a run of it leaves something that somebody has to agree to. */
function needsConsent({ held, beyondBudget, deletions }: Plan): boolean {
  return held.length > 0 || beyondBudget.length > 0 || (deletions?.withheld.length ?? 0) > 0;
}

const NONE: ReadonlySet<Address> = new Set();

/** What the plan deletes, and what it says of that. */
function settleDeletions({ pruning, noted }: PlanDraft, deletions: Replacements) {
  if (!pruning) return { nodes: [], removed: NONE, said: {} };
  const { nodes, removed, stays, guard } = pruning;
  const because = guard ?? (deletions === 'hold' ? 'unasked' : undefined);
  if (nodes.length && because)
    return { nodes: [], removed: NONE, said: { deletions: { stays, withheld: nodes, because } } };
  const leftAlone = noted.leftAlone.filter((address) => !removed.has(address));
  return { nodes, removed, said: { leftAlone, deletions: { stays, withheld: [] } } };
}

function nodesOf(posts: readonly { readonly nodes: readonly PlannedNode[] }[]): PlannedNode[] {
  return posts.flatMap(({ nodes }) => nodes);
}

function rejectedIn(posts: readonly { readonly rejected: readonly Address[] }[]): ReadonlySet<Address> {
  return new Set(posts.flatMap(({ rejected }) => rejected));
}
