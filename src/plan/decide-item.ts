import type { Address } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { currentTake, type TakeState } from '../model/run-state.ts';
import { type Verdicts, verdictAbout } from '../model/verdict.ts';
import { hasWildcard, matchesGlob } from '../util/match-glob.ts';
import type { MatchedItem, MatchedPost } from '../match/match-state.ts';
import type { ItemDecision } from './item-decision.ts';
import { obeyVerdict } from './obey-verdict.ts';
import { itemReasons, type Versions } from './reasons.ts';
import type { ShownProducts } from '../match/shown-products.ts';

/** The posts that hold an item up, in the order of their addresses. */
export type HoldersOf = (matched: MatchedItem, post: MatchedPost['post']) => readonly Address[];

export interface DecisionContext {
  readonly graph: Graph;
  readonly versions: Versions;
  readonly verdicts: Verdicts;
  /** How many takes of an item were deleted that were made from these inputs. */
  readonly deletedTakes: (item: Address, fingerprint: string) => number;
  readonly holdersOf: HoldersOf;
  readonly shown: ShownProducts;
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

const NEW = { summary: 'new' };

export function decideItem(
  matched: MatchedItem,
  post: MatchedPost['post'],
  context: DecisionContext,
): ItemDecision {
  const { known, item, address } = matched;
  const take = known && currentTake(known);
  // What was let go of is found again by its content only: wanted otherwise, it is new.
  const isNew = !take || (known.letGo === true && take.fingerprint !== item.fingerprint);
  if (isNew && !context.wishes.replace.includes(address)) return decideNew(matched, post, context);
  if (!take) return { type: 'create', reasons: [ASKED_FOR] };
  const decision = orKept(decideTake(matched, take, context), post);
  const verdict = take.result && verdictAbout(take.result.id, context.verdicts);
  const isNamed = decision.type === 'replace' && decision.asked === 'by-name';
  if (!verdict || isNamed) return decision;
  const deletedTakes = context.deletedTakes(matched.address, matched.item.fingerprint);
  return obeyVerdict(verdict, matched, { take, decision, post, deletedTakes });
}

function decideNew(
  matched: MatchedItem,
  post: MatchedPost['post'],
  { holdersOf }: DecisionContext,
): ItemDecision {
  const heldBy = holdersOf(matched, post);
  if (!heldBy.length) return { type: 'create', reasons: [NEW] };
  const [first = '', second = '', ...others] = heldBy;
  const more = others.length === 1 ? 'another one' : `one of ${others.length} others`;
  const any = others.length ? `${first}, ${second} or ${more}` : heldBy.join(' or ');
  const summary = `it may be what ${any} was, which the manifest no longer names`;
  return { type: 'create', reasons: [NEW, { summary, address: first }], heldBy };
}

/** With `regenerate: never`, what was generated is kept, unless somebody names it. */
function orKept(decision: ItemDecision, { regenerate }: MatchedPost['post']): ItemDecision {
  const isEdit = decision.type === 'replace' && decision.asked === undefined;
  if (regenerate !== 'never' || !(isEdit || decision.type === 'keep')) return decision;
  return { type: 'keep', despite: { why: 'never', edits: isEdit ? decision.reasons : [] } };
}

function decideTake(
  { item, address, known }: MatchedItem,
  take: TakeState,
  { graph, versions, wishes, shown }: DecisionContext,
): ItemDecision {
  const same = take.fingerprint === item.fingerprint;
  if (take.status === 'unknown' && same) return { type: 'unknown' };
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
  if (bad || take.status === 'skipped') return { type: 'create', reasons: edits() };
  const isOther = known !== undefined && !shown.areSame(item, known);
  return { type: 'replace', reasons: edits(), ...(isOther && { isOther }) };
}
