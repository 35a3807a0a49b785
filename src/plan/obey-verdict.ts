/** What a verdict about a finished post does to the decision that the plan would make without it. */
import type { Reason } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { TakeState } from '../model/run-state.ts';
import type { Verdict } from '../model/verdict.ts';
import type { ItemDecision } from './item-decision.ts';
import type { MatchedItem, MatchedPost } from '../match/match-state.ts';

/** How many takes of an item are requested because of rejections, unless the manifest says otherwise. */
export const MAX_TAKES = 3;

interface Judged {
  readonly take: TakeState;
  readonly decision: ItemDecision;
  readonly post: MatchedPost['post'];
  /** Takes of the item that were deleted, made from these inputs. */
  readonly deletedTakes: number;
}

/** An approved post is kept through every edit; a rejected one is requested again, as often as `max_takes` allows. */
export function obeyVerdict(
  { verdict, note, source }: Verdict,
  { item, known }: MatchedItem,
  { take, decision, post, deletedTakes }: Judged,
): ItemDecision {
  if (take.status !== 'done') return decision;
  const edits = editsOf(decision);
  if (verdict === 'approved') return { type: 'keep', despite: { why: 'approved', edits } };
  const why = note === undefined || note === '' ? 'rejected' : `rejected: ${note}`;
  if (post.numberOfPosts !== undefined) return { type: 'stuck', problem: isWhole(why) };
  const { maxTakes = MAX_TAKES } = post;
  const present = known?.takes.filter(({ fingerprint }) => fingerprint === item.fingerprint).length ?? 0;
  const made = present + deletedTakes;
  if (made >= maxTakes) return { type: 'stuck', problem: allTaken(why, { made, maxTakes }) };
  return { type: 'replace', asked: 'rejected', reasons: [{ summary: why, source }, ...edits] };
}

function editsOf(decision: ItemDecision): readonly Reason[] {
  if (decision.type === 'replace') return decision.reasons;
  return decision.type === 'keep' ? (decision.despite?.edits ?? []) : [];
}

function isWhole(why: string): Problem {
  return {
    summary: why,
    detail:
      'Its post plan is requested as a whole, because number_of_posts differs from the number of items, so all its posts ' +
      'would be requested again. Ask for that with --replace, or approve this one.',
  };
}

function allTaken(
  why: string,
  { made, maxTakes }: { readonly made: number; readonly maxTakes: number },
): Problem {
  const takes = made === 1 ? 'take was' : 'takes were';
  return {
    summary: why,
    detail: `${made} ${takes} made of it (max_takes: ${maxTakes}). Change its texts or photos, raise max_takes, name it with --replace, or approve this one.`,
  };
}
