/** What somebody has to agree to before an apply pays for it or deletes it. */
import { isDeletion, type Plan } from '../model/plan.ts';
import type { PlanDraft } from '../plan/draft-plan.ts';
import { costText } from '../views/budget-words.ts';
import { leftPosts } from '../views/plan-summary.ts';
import type { Wallet } from './account.ts';

/** Posts, and what they cost in words: `1.40 EUR`; undefined without prices. */
export interface Priced {
  readonly posts: number;
  /** Of them, those that take the place of one that is there. */
  readonly replaced?: number;
  readonly cost: string | undefined;
}

export interface Payable {
  /** Posts that are requested whatever happens to the finished ones. */
  readonly first: Priced;
  /** Finished posts whose inputs changed, and of those to be made again, how many can be kept as they are. */
  readonly finished: number;
  readonly keepable: number;
  /** Posts that may be earlier ones, which the manifest no longer names. */
  readonly heldUp: number;
  /** All posts that are requested if the finished ones are requested again; undefined where the budget forbids it. */
  readonly all: Priced | undefined;
  /** Products, concepts and requests that are deleted. */
  readonly deletions: number;
  /** With the emulator nothing is paid, whatever the prices. */
  readonly isFree: boolean;
}

/** One draft, and its plans without and with the changed finished posts and the deletions; the same plan where there are none. */
export interface Proposal {
  readonly draft: PlanDraft;
  readonly left: Plan;
  readonly whole: Plan;
  readonly wallet: Wallet | undefined;
}

/** Undefined where nothing is to be agreed to. At the emulator new posts cost nothing, and a rejection agrees to another take. */
export function payable({ left, whole }: Proposal): Payable | undefined {
  const { isFree } = left;
  const { length: held } = left.held;
  const finished = leftPosts(left);
  const deletions = whole.nodes.listed.filter(isDeletion).length;
  const isRefused = whole.beyondBudget.length > 0 && whole.newPosts === 0;
  if (!held && !deletions && (isFree || left.newPosts === left.rejected)) return undefined;
  if (!deletions && left.beyondBudget.length && !left.newPosts) return undefined;
  return {
    first: priced(left),
    finished,
    keepable: left.held.filter(({ isKeepable }) => isKeepable).length,
    heldUp: held - finished,
    all: isRefused ? undefined : priced(whole),
    deletions,
    isFree,
  };
}

function priced({ newPosts, replaced, cost }: Plan): Priced {
  return { posts: newPosts, replaced, cost: cost && costText(cost) };
}
