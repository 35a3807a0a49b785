import type { Limit } from './budget.ts';

/** Amounts of money are as they are written: `1.4`. */
export interface LimitUse extends Limit {
  /** Before this plan. */
  readonly spent: number;
  /** What the plan would request without limits. */
  readonly wanted: number;
  readonly isExceeded: boolean;
}

export interface PlanCost {
  readonly currency?: string;
  /** Of one post, by its type. */
  readonly prices: Readonly<Record<string, number>>;
  /** Of what the plan requests; null where a post has no price. */
  readonly amount: number | null;
  readonly limits: readonly LimitUse[];
}
