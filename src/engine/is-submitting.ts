import type { NodeKind } from '../model/address.ts';

const SUBMITTING: ReadonlySet<NodeKind> = new Set(['upload', 'product', 'concept', 'media-config']);

/** Whether nodes of this kind bring the service new work; polls and downloads only take in what it has done. */
export function isSubmitting(kind: NodeKind): boolean {
  return SUBMITTING.has(kind);
}
