import { isSubmitting, type NodeKind } from '../model/kinds.ts';
import type { Problem } from '../model/problem.ts';

interface Quota {
  readonly kind: NodeKind;
  readonly problem: Problem | undefined;
}

/** Kinds whose quota is used up: the service wants no requests for longer than a run waits. */
export function createQuotas() {
  const quotas: Quota[] = [];
  return {
    used: (kind: NodeKind, problem: Problem | undefined): void => void quotas.push({ kind, problem }),
    /** A used-up quota of one submitting kind ends all submitting, because the other kinds could not be used. */
    of: (kind: NodeKind): Quota | undefined =>
      quotas.find((quota) => quota.kind === kind || (isSubmitting(quota.kind) && isSubmitting(kind))),
  };
}

export type Quotas = ReturnType<typeof createQuotas>;
