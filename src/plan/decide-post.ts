/** What becomes of the items of one instance. */
import type { Address } from '../model/address.ts';
import type { Reason, WhyKept } from '../model/plan.ts';
import { currentTake } from '../model/run-state.ts';
import { type DecisionContext, decideItem } from './decide-item.ts';
import type { ItemDecision } from './item-decision.ts';
import type { MatchedItem, MatchedPost } from '../match/match-state.ts';
import type { IsSelected } from './select.ts';

export type DecidedItem = MatchedItem & { readonly decision: ItemDecision };
export type WantedItem = DecidedItem & {
  readonly decision: Extract<ItemDecision, { reasons: readonly Reason[] }>;
};

export interface DecidedPost {
  readonly matched: MatchedPost;
  readonly items: readonly DecidedItem[];
}

/** What happens to finished posts whose inputs changed: they are requested again, or left as they are. */
export type Replacements = 'make' | 'hold';

export function decidePost(
  matched: MatchedPost,
  context: DecisionContext & { readonly isSelected: IsSelected },
): DecidedPost {
  const selected = matched.items.filter(({ address }) => context.isSelected(address));
  // A post that is requested as a whole is selected as a whole.
  const items = selected.length && isIndivisible(matched) ? matched.items : selected;
  const decided = items.map((item) => ({ decision: decideItem(item, matched.post, context), ...item }));
  const why = isIndivisible(matched) && !decided.some(isNamed) ? whyKept(decided) : undefined;
  return { matched, items: why ? decided.map((item) => waitingForKept(item, why)) : decided };
}

/** `held` are the finished posts that this plan leaves as they are, `failed` those that are not requested again. */
export function settlePost({ matched, items }: DecidedPost, replacements: Replacements) {
  const settled = isIndivisible(matched) ? asWhole(items) : items;
  const wanted = settled.filter(isWanted);
  const held = replacements === 'make' ? [] : wanted.filter(needsConsent);
  const others = isIndivisible(matched) ? [] : wanted.filter((item) => !needsConsent(item));
  const requested = held.length ? others : wanted;
  const failed = (requested.length ? settled : items).filter(isStuck);
  const kept = settled.flatMap((item) => {
    const despite = item.decision.type === 'keep' ? item.decision.despite : undefined;
    return despite?.edits.length ? { ...item, why: despite.why, reasons: despite.edits } : [];
  });
  return { requested, held, failed, kept, unchanged: settled.filter(isAsItShouldBe).length };
}

/** The items of a post that are held back, and whose pictures can be kept with the edit accepted. */
export function heldEdits(post: DecidedPost): readonly DecidedItem[] {
  const held = new Set(settlePost(post, 'hold').held.map(({ address }) => address));
  return post.items.filter((item) => isKeepable(item) && held.has(item.address));
}

/** Where number_of_posts is written and differs from the number of items, a post is requested as a whole. */
function isIndivisible({ post }: MatchedPost): boolean {
  return post.numberOfPosts !== undefined;
}

/** One wanted item wants them all. */
function asWhole(items: readonly DecidedItem[]): readonly DecidedItem[] {
  if (!items.some(isWanted)) return items;
  if (items.some(({ decision }) => decision.type === 'unknown'))
    return items.filter((item) => !isWanted(item));
  const reasons = [{ summary: 'requested as a whole: number_of_posts differs from the number of items' }];
  return items.map((item) => {
    if (item.decision.type === 'keep') return { ...item, decision: { type: 'replace', reasons } };
    return isStuck(item) ? { ...item, decision: { type: 'create', reasons } } : item;
  });
}

function isStuck({ decision }: DecidedItem): boolean {
  return decision.type === 'failed' || decision.type === 'stuck';
}

function isWanted(item: DecidedItem): item is WantedItem {
  return item.decision.type === 'create' || item.decision.type === 'replace';
}

function whyKept(items: readonly DecidedItem[]): WhyKept | undefined {
  const reasons = items.map(({ decision }) => (decision.type === 'keep' ? decision.despite?.why : undefined));
  return reasons.find((why) => why !== undefined);
}

function isNamed({ decision }: DecidedItem): boolean {
  return decision.type === 'replace' && decision.asked === 'by-name';
}

/** Of a post that is requested as a whole, one item that is kept keeps them all. */
function waitingForKept(item: DecidedItem, why: WhyKept): DecidedItem {
  if (!isWanted(item)) return item;
  const kept = why === 'approved' ? 'approved' : 'kept (`regenerate: never`)';
  const detail = `It would be requested with its whole post plan, because number_of_posts differs from the number of items, and one of those posts is ${kept}. Ask for all of them with --replace.`;
  return { ...item, decision: { type: 'stuck', problem: { summary: 'not requested', detail } } };
}

/** Paying again for a finished post, or for what may be one, needs consent, unless the user named the post. */
function needsConsent(item: DecidedItem): boolean {
  const { decision } = item;
  if (holdersOf(item).length) return true;
  return decision.type === 'replace' && decision.asked !== 'by-name' && decision.asked !== 'rejected';
}

/** It is wanted because of an edit of its own, not because of other items or of what is gone, and shows the same products. */
export function isKeepable({ decision }: DecidedItem): boolean {
  return decision.type === 'replace' && decision.asked === undefined && !decision.isOther;
}

/** The posts that hold it up: it would be bought as new, and may be what one of these was. */
export function holdersOf({ decision }: DecidedItem): readonly Address[] {
  return decision.type === 'create' ? (decision.heldBy ?? []) : [];
}

/** It is gone at the service, and somebody asked to make it again. */
export function isMissing({ decision }: DecidedItem): boolean {
  return decision.type === 'replace' && decision.asked === 'missing';
}

/** A post that is being generated is kept as well, but it is counted by how it ends. */
function isAsItShouldBe({ decision, known }: DecidedItem): boolean {
  return decision.type === 'keep' && known !== undefined && currentTake(known)?.status !== 'pending';
}
