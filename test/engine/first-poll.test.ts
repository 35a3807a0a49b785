/** A post that waits while another one finds out the path of media has not been polled yet. */
import { expect, it } from 'vitest';
import { createAdmission } from '../../src/engine/admission.ts';
import { createServiceLimits } from '../../src/engine/service-limits.ts';
import { rowOf } from '../../src/engine/outcome-table.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { mediaNode } from '../support/planned-nodes.ts';

const NODES = Array.from({ length: 300 }, (_, n) => mediaNode('hero', `i${n}`));

function admitted(came: 'busy' | 'pending'): number {
  const clock = createManualClock();
  const limits = { total: 1000, perKind: {}, mediaInFlight: 1000 };
  const admission = createAdmission({
    clock,
    service: createServiceLimits({ limits, clock, random: () => 0.5 }),
  });
  for (const node of NODES) {
    expect(admission.admit(node)).toBe(0);
    const facts = { sent: came === 'busy' ? 'no' : 'yes', came, waitMs: 1000 } as const;
    admission.report(node, facts, rowOf('poll', came));
  }
  return NODES.filter((node) => admission.admit(node) === 0).length;
}

it('is a first poll then, and first polls are not limited to a rate as repeated ones are', () => {
  expect(admitted('busy')).toBe(300);
  expect(admitted('pending')).toBeLessThan(30);
});
