import { describe, expect, it } from 'vitest';
import { EXIT, outcomeOf, strongestExit } from '../../src/model/exit.ts';

describe('the exit code', () => {
  it('is 0 where nothing went wrong', () => {
    expect(strongestExit([])).toBe(0);
    expect(strongestExit([EXIT.ok, EXIT.ok])).toBe(0);
  });

  it('of each rank wins over all below, in any order', () => {
    const ranks = [70, 76, 74, 129, 130, 143, 4, 77, 78, 65, 5, 1, 69, 75, 3] as const;
    for (const [index, code] of ranks.entries()) {
      expect(strongestExit([EXIT.ok, ...ranks.slice(index)].reverse())).toBe(code);
    }
  });

  it.each([
    [EXIT.ok, 'succeeded'],
    [EXIT.failed, 'failed'],
    [EXIT.changes, 'succeeded'],
    [EXIT.incomplete, 'incomplete'],
    [EXIT.undecided, 'undecided'],
    [EXIT.needsConsent, 'needs-consent'],
    [EXIT.usage, 'invalid'],
    [EXIT.invalidManifest, 'invalid'],
    [EXIT.unavailable, 'unavailable'],
    [EXIT.bug, 'error'],
    [EXIT.cannotWrite, 'error'],
    [EXIT.locked, 'locked'],
    [EXIT.badState, 'error'],
    [EXIT.authentication, 'refused'],
    [EXIT.configuration, 'invalid'],
    [EXIT.sighup, 'cancelled'],
    [EXIT.sigint, 'cancelled'],
    [EXIT.sigterm, 'cancelled'],
  ] as const)('%i is called %s', (code, outcome) => {
    expect(outcomeOf(code)).toBe(outcome);
  });
});
