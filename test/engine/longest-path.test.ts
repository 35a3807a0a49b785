import { expect, it } from 'vitest';
import { longestPaths } from '../../src/engine/work-graph.ts';

it('counts the nodes of the longest path from a node to an end', () => {
  const lengths = longestPaths([
    { address: 'upload/a', dependsOn: [] },
    { address: 'product/a', dependsOn: ['upload/a'] },
    { address: 'concept/c', dependsOn: [] },
    { address: 'media-config/p@1', dependsOn: ['concept/c', 'product/a'] },
    { address: 'product/unused', dependsOn: ['upload/a'] },
  ]);
  expect(Object.fromEntries(lengths)).toEqual({
    'upload/a': 3,
    'product/a': 2,
    'concept/c': 2,
    'media-config/p@1': 1,
    'product/unused': 1,
  });
});

it('accepts dependencies that are not among the nodes', () => {
  expect(longestPaths([{ address: 'product/a', dependsOn: ['upload/done'] }]).get('product/a')).toBe(1);
});
