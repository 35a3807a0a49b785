/** All cells: endpoints × faults, those that cannot be put aside. */
import { type Endpoint, ENDPOINTS } from './endpoints.ts';
import { expectedOf, type Verdict } from './expected.ts';
import { type Fault, FAULTS } from './faults.ts';

export interface Cell {
  readonly fault: Fault;
  readonly verdict: Verdict;
}

/** The cells of one endpoint; throws for one of which nobody has said what must come of it. */
export function cellsOf({ route, kind }: Endpoint): Cell[] {
  return FAULTS.flatMap((fault) => {
    const expected = expectedOf(fault, { route, kind });
    if (!expected) throw new Error(`${route} × ${fault.name}: nobody says what must come of it`);
    return 'verdict' in expected ? [{ fault, verdict: expected.verdict }] : [];
  });
}

/** The cells that cannot be: `route × fault` by the reason. */
export function impossibleCells(): ReadonlyMap<string, readonly string[]> {
  const cells = new Map<string, string[]>();
  for (const { route, kind } of ENDPOINTS) {
    for (const fault of FAULTS) {
      const expected = expectedOf(fault, { route, kind });
      if (!expected || 'verdict' in expected) continue;
      const known = cells.get(expected.impossible) ?? [];
      cells.set(expected.impossible, [...known, `${route} × ${fault.name}`]);
    }
  }
  return cells;
}
