import type { Address } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { currentTake, type TakeState } from '../model/run-state.ts';
import { type Verdicts, verdictAbout } from '../model/verdict.ts';
import { hasWildcard, matchesGlob } from '../util/match-glob.ts';
import type { MadeBefore } from './made-before.ts';
import type { MatchedItem, MatchedPost } from './match-items.ts';
import type { ItemDecision } from './item-decision.ts';
import { obeyVerdict } from './obey-verdict.ts';
import { itemReasons, type Versions } from './reasons.ts';

export interface DecisionContext {
  readonly graph: Graph;
  readonly versions: Versions;
  readonly verdicts: Verdicts;
  /** How many takes of an item were deleted that were made from these inputs. */
  readonly deletedTakes: (item: Address, fingerprint: string) => number;
  /** The older take that says exactly what an item asks for. */
  readonly madeBefore: MadeBefore;
  readonly wishes: {
    /** Addresses, and globs over finished posts. */
    readonly replace: readonly string[];
    readonly retryFailed: string | undefined;
    /** Whether a post that the service has no more is to be requested again. */
    readonly isMissing?: (take: TakeState) => boolean;
  };
}

/** Of posts that somebody names, or that a glob matches. */
export const ASKED_FOR = { summary: 'asked for with --replace' };

const NEW: ItemDecision = { type: 'create', reasons: [{ summary: 'new' }] };

export function decideItem(
  matched: MatchedItem,
  post: MatchedPost['post'],
  context: DecisionContext,
): ItemDecision {
  const decision = decideAlone(matched, post, context);
  const { item, known } = matched;
  const isRetry = known !== undefined && currentTake(known)?.fingerprint === item.fingerprint;
  const older = decision.type === 'create' && !isRetry ? context.madeBefore(item, post) : undefined;
  if (older === undefined) return decision;
  const summary = `it was made before: the older take ${older} is exactly this, and would be made again`;
  return { type: 'replace', asked: 'made-before', reasons: [{ summary }] };
}

/** Without a look at what else was made. */
function decideAlone(
  matched: MatchedItem,
  post: MatchedPost['post'],
  context: DecisionContext,
): ItemDecision {
  const take = matched.known && currentTake(matched.known);
  if (!take) return NEW;
  const decision = orKept(decideTake(matched, take, context), post);
  const verdict = take.result && verdictAbout(take.result.id, context.verdicts);
  const isNamed = decision.type === 'replace' && decision.asked === 'by-name';
  if (!verdict || isNamed) return decision;
  const deletedTakes = context.deletedTakes(matched.address, matched.item.fingerprint);
  return obeyVerdict(verdict, matched, { take, decision, post, deletedTakes });
}

/** With `regenerate: never`, what was generated is kept, unless somebody names it. */
function orKept(decision: ItemDecision, { regenerate }: MatchedPost['post']): ItemDecision {
  const isEdit = decision.type === 'replace' && decision.asked === undefined;
  if (regenerate !== 'never' || !(isEdit || decision.type === 'keep')) return decision;
  return { type: 'keep', despite: { why: 'never', edits: isEdit ? decision.reasons : [] } };
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
    return { type: 'replace', asked: 'by-name', reasons: [ASKED_FOR] };
  }
  const edits = () => itemReasons(take.inputs, item, graph, versions);
  // How many posts a glob is about, nobody has said: each needs the same consent as one that was edited.
  if (
    take.status === 'done' &&
    wishes.replace.some((glob) => hasWildcard(glob) && matchesGlob(glob, address))
  ) {
    return { type: 'replace', reasons: [ASKED_FOR, ...(same ? [] : edits())] };
  }
  if (same && bad && wishes.retryFailed !== undefined && matchesGlob(wishes.retryFailed, address)) {
    const cause = take.problem ? `: ${take.problem.summary}` : '';
    return { type: 'create', reasons: [{ summary: `retried after a failure${cause}` }] };
  }
  if (same && wishes.isMissing?.(take)) {
    return {
      type: 'replace',
      asked: 'missing',
      reasons: [{ summary: 'made again: it is gone at the service' }],
    };
  }
  if (same) return { type: bad ? 'failed' : 'keep' };
  return { type: bad || take.status === 'skipped' ? 'create' : 'replace', reasons: edits() };
}
