import { isSubmitting, type NodeKind } from '../model/kinds.ts';
import type { Problem } from '../model/problem.ts';

/** Kinds that the service wants left alone for longer than a run waits. */
export interface Quotas {
  used(kind: NodeKind, problem: Problem | undefined): void;
  /** A used up quota of anything that is submitted ends all submitting: nothing more can come of the rest. */
  of(kind: NodeKind): { readonly problem: Problem | undefined } | undefined;
}

export function createQuotas(): Quotas {
  const quotas: { readonly kind: NodeKind; readonly problem: Problem | undefined }[] = [];
  return {
    used: (kind, problem) => void quotas.push({ kind, problem }),
    of: (kind) =>
      quotas.find((quota) => quota.kind === kind || (isSubmitting(quota.kind) && isSubmitting(kind))),
  };
}
