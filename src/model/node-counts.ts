import type { NodeCounts } from './run-event.ts';

export const NO_NODES: NodeCounts = {
  created: 0,
  updated: 0,
  replaced: 0,
  deleted: 0,
  moved: 0,
  unchanged: 0,
  downloaded: 0,
  failed: 0,
  blocked: 0,
  unknown: 0,
  pending: 0,
};

export function sumOfNodes(all: readonly NodeCounts[]): NodeCounts {
  const names = Object.keys(NO_NODES) as (keyof NodeCounts)[];
  const sum = { ...NO_NODES } as Record<keyof NodeCounts, number>;
  for (const counts of all) for (const name of names) sum[name] += counts[name];
  return sum;
}
