import { isSubmitting, type NodeKind } from '../model/kinds.ts';
import type { Problem } from '../model/problem.ts';

interface Quota {
  readonly kind: NodeKind;
  readonly problem: Problem | undefined;
}

/** Kinds that the service wants left alone for longer than a run waits. */
export function createQuotas() {
  const quotas: Quota[] = [];
  return {
    used: (kind: NodeKind, problem: Problem | undefined): void => void quotas.push({ kind, problem }),
    /** A used up quota of anything that is submitted ends all submitting: nothing more can come of the rest. */
    of: (kind: NodeKind): Quota | undefined =>
      quotas.find((quota) => quota.kind === kind || (isSubmitting(quota.kind) && isSubmitting(kind))),
  };
}

export type Quotas = ReturnType<typeof createQuotas>;
