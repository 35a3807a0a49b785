import type { Address } from '../model/address.ts';
import type { Reason, WhyKept } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';

/** What a plan does with one item. */
export type ItemDecision =
  /** Its result is kept: finished, being generated, or given up by somebody. `despite`: what changed all the same, and why it is kept. */
  | { readonly type: 'keep'; readonly despite?: { readonly why: WhyKept; readonly edits: readonly Reason[] } }
  /** Something else would be wanted, and no run requests it before somebody has changed or decided something. */
  | { readonly type: 'stuck'; readonly problem: Problem }
  /** It failed, and waits for a decision or a change. */
  | { readonly type: 'failed' }
  /** Its request has an unknown outcome. */
  | { readonly type: 'unknown' }
  /**
   * Nothing was made of it, or nothing usable: it is requested. `heldBy`: posts that the manifest no longer names and that
   * it may have been; it needs consent.
   */
  | { readonly type: 'create'; readonly reasons: readonly Reason[]; readonly heldBy?: readonly Address[] }
  /** It was made and paid for, and no longer is what the manifest asks for, or somebody asked to make it again. */
  | {
      readonly type: 'replace';
      /** `missing`: it is gone at the service, and somebody asked for what is gone; it is paid for as an edited one. */
      readonly asked?: 'by-name' | 'rejected' | 'missing';
      /** It shows other products than before: nobody can take the picture for what is asked for. */
      readonly isOther?: true;
      readonly reasons: readonly Reason[];
    };
