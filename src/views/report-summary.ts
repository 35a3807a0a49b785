/** What somebody who opens a report wants first: the numbers and words of `campaign status`. Pure. */
import type { PlanCost } from '../model/plan-cost.ts';
import { inertText } from '../util/inert-text.ts';
import { limitTexts } from './budget-words.ts';
import { notesOf } from './count-words.ts';
import type { Coverage } from './coverage.ts';
import type { NextStep } from './next-steps.ts';
import type { SettledPeriod } from './settled.ts';

export interface ReportSummary {
  readonly plans: readonly SummaryPlan[];
  /** Periods that are over, in which something is open. */
  readonly settled: readonly SettledPeriod[];
  /** `this month 12 of 2000 posts, 12.00 of 900.00 EUR` */
  readonly budget: readonly string[];
  /** What works on it now, in words. */
  readonly running: string | null;
  readonly next: readonly NextStep[];
}

export interface SummaryPlan {
  readonly key: string;
  /** The present one of a post plan with `every`. */
  readonly period: string | null;
  readonly items: number;
  readonly done: number;
  /** `3 out of date`, `1 failed` */
  readonly notes: readonly string[];
}

interface Status {
  readonly coverage: Coverage;
  readonly settled: readonly SettledPeriod[];
  readonly cost: PlanCost | undefined;
  readonly running: string | undefined;
  readonly next: readonly NextStep[];
}

export function reportSummary(
  { coverage, settled, cost, running, next }: Status,
  periods: Readonly<Record<string, string>> = {},
): ReportSummary {
  return {
    plans: coverage.post_plans.map(({ post_plan: key, ...counts }) => ({
      key,
      period: periods[key] ?? null,
      items: counts.items,
      done: counts.done,
      notes: notesOf(counts),
    })),
    settled,
    budget: cost ? limitTexts(cost) : [],
    running: running === undefined ? null : inertText(running),
    next,
  };
}
