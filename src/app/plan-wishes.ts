import { defined } from '../util/defined.ts';

/** What a plan depends on besides manifest and state; plain data, kept in a saved plan. */
export interface PlanWishes {
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  readonly replace: readonly string[];
  readonly retryFailed?: string;
  /** Requests as many posts as fit the budget, instead of none. */
  readonly withinBudget?: true;
  /** Deletes what the manifest no longer names. */
  readonly prune?: true;
  readonly maxDeletes?: number;
  /** They are about several manifests, and each names something in one of them: not in this one, perhaps. */
  readonly among?: 'several';
  /** Makes again what is gone at the service. */
  readonly recreateMissing?: true;
  /** Ids of gone objects of which the service did not say once more that they are gone: they are left. */
  readonly unclear?: readonly string[];
}

export function wishesOf({
  only = [],
  exclude = [],
  replace = [],
  retryFailed,
  withinBudget,
  prune,
  maxDeletes,
  among,
  recreateMissing,
  unclear,
}: Partial<PlanWishes>): PlanWishes {
  const more = { retryFailed, withinBudget, prune, maxDeletes, among, recreateMissing, unclear };
  return { only, exclude, replace, ...defined(more) };
}
