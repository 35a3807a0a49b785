import type { Graph } from '../model/graph.ts';
import type { Reason } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { currentTake, type TakeState } from '../model/run-state.ts';
import type { Verdicts } from '../model/verdict.ts';
import { matchesGlob } from '../util/match-glob.ts';
import type { MatchedItem, MatchedPost } from './match-items.ts';
import { obeyVerdict } from './obey-verdict.ts';
import { itemReasons, type Versions } from './reasons.ts';

export type ItemDecision =
  /** Its result is kept: finished, being generated, or given up by somebody. `approved`: what changed all the same. */
  | { readonly type: 'keep'; readonly approved?: readonly Reason[] }
  /** Something else would be wanted, and no run requests it before somebody has changed or decided something. */
  | { readonly type: 'stuck'; readonly problem: Problem }
  /** It failed, and waits for a decision or a change. */
  | { readonly type: 'failed' }
  /** Its request has an unknown outcome. */
  | { readonly type: 'unknown' }
  /** Nothing was made of it, or nothing usable: it is requested. */
  | { readonly type: 'create'; readonly reasons: readonly Reason[] }
  /** It was made and paid for, and no longer is what the manifest asks for, or somebody asked to make it again. */
  | {
      readonly type: 'replace';
      readonly asked?: 'by-name' | 'rejected';
      readonly reasons: readonly Reason[];
    };

export interface DecisionContext {
  readonly graph: Graph;
  readonly versions: Versions;
  readonly verdicts: Verdicts;
  readonly wishes: {
    readonly replace: readonly string[];
    readonly retryFailed: string | undefined;
  };
}

const NEW: ItemDecision = { type: 'create', reasons: [{ summary: 'new' }] };

export function decideItem(
  matched: MatchedItem,
  post: MatchedPost['post'],
  context: DecisionContext,
): ItemDecision {
  const take = matched.known && currentTake(matched.known);
  if (!take) return NEW;
  const decision = decideTake(matched, take, context);
  const verdict = take.result && context.verdicts.get(take.result.id);
  const isNamed = decision.type === 'replace' && decision.asked === 'by-name';
  return verdict && !isNamed ? obeyVerdict(verdict, matched, { take, decision, post }) : decision;
}

function decideTake(
  { item, address }: MatchedItem,
  take: TakeState,
  { graph, versions, wishes }: DecisionContext,
): ItemDecision {
  if (take.status === 'unknown') return { type: 'unknown' };
  const same = take.fingerprint === item.fingerprint;
  const bad = take.status === 'failed' || take.status === 'lost';
  if (wishes.replace.includes(address)) {
    return { type: 'replace', asked: 'by-name', reasons: [{ summary: 'asked for with --replace' }] };
  }
  if (same && bad && wishes.retryFailed !== undefined && matchesGlob(wishes.retryFailed, address)) {
    const cause = take.problem ? `: ${take.problem.summary}` : '';
    return { type: 'create', reasons: [{ summary: `retried after a failure${cause}` }] };
  }
  if (same) return { type: bad ? 'failed' : 'keep' };
  const reasons = itemReasons(take.inputs, item, graph, versions);
  return { type: bad || take.status === 'skipped' ? 'create' : 'replace', reasons };
}
