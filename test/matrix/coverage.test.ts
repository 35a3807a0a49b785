import { expect, it } from 'vitest';
import { cellsOf, impossibleCells } from './cells.ts';
import { ENDPOINTS } from './endpoints.ts';

it('knows what must come of every fault at every endpoint', () => {
  const cells = ENDPOINTS.map(cellsOf).flat().length;
  const impossible = impossibleCells();
  const count = [...impossible.values()].flat().length;
  const reasons = [...impossible].map(([why, which]) => `  ${why}: ${which.join(', ')}`);
  console.log(`${cells} cells, ${count} impossible:\n${reasons.join('\n')}`);
  expect(cells).toBeGreaterThan(400);
});
