import type { PlannedNode } from '../model/plan.ts';

/** Whether sending this node twice would make two objects: it needs an intent, and its outcome can be unknown. */
export function isCreate(node: PlannedNode): boolean {
  if (node.kind === 'media-config') return true;
  const object = node.kind === 'product' || node.kind === 'concept';
  return object && (node.action === 'create' || node.action === 'replace');
}
