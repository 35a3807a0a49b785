import { describe, expect, it } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import { emptyState, fold } from '../../src/log/fold.ts';
import { snapshotEvents } from '../../src/log/snapshot.ts';
import { at, folded, type Happening, intent, PROBLEM } from './fold-events.ts';

const TOTE = 'product/tote';
const made: Happening = { type: 'created', address: TOTE, result: { id: 'p-2' } };
const unknown = (summary: string): Happening => ({ type: 'unknown', address: TOTE, evidence: { summary } });
const twice = [intent(TOTE), unknown('reset'), intent(TOTE, 'f2')];
const RESET = { at: at(0), evidence: { summary: 'reset' } };

function duplicatesAfter(...happenings: Happening[]) {
  return folded(...happenings).objects.get(TOTE)?.possibleDuplicates;
}

describe('a create that was sent again although its outcome was unknown', () => {
  it('stays known as a possible duplicate, whatever comes of the next one and after it', () => {
    for (const later of [
      [],
      [made],
      [made, { type: 'updating', address: TOTE }],
      [made, { type: 'updated', address: TOTE, inputs: {}, fingerprint: 'f3', result: { id: 'p-2' } }],
      [made, { type: 'accepted', address: TOTE, inputs: {}, fingerprint: 'f3' }],
      [{ type: 'rejected', address: TOTE, problem: PROBLEM }],
      [{ type: 'rejected', address: TOTE, problem: PROBLEM }, intent(TOTE), made],
      [{ type: 'resolved', address: TOTE, decision: 'created', result: { id: 'p-2' } }],
      [{ type: 'resolved', address: TOTE, decision: 'skipped' }],
    ] satisfies Happening[][]) {
      expect(duplicatesAfter(...twice, ...later), JSON.stringify(later)).toEqual([RESET]);
    }
  });

  it('is one more each time', () => {
    expect(duplicatesAfter(...twice, unknown('timeout'), intent(TOTE), made)).toEqual([
      RESET,
      { at: at(2), evidence: { summary: 'timeout' } },
    ]);
  });

  it('is none where the second one was not sent: then it is unknown as before', () => {
    const state = folded(...twice, { type: 'not-sent', address: TOTE, problem: PROBLEM });
    expect(state.objects.get(TOTE)).toMatchObject({ status: 'unknown', evidence: { summary: 'reset' } });
    expect(duplicatesAfter(...twice, { type: 'not-sent', address: TOTE, problem: PROBLEM })).toBeUndefined();
  });

  it('goes along with a rename, and is still told by a compacted log', () => {
    const state = folded(...twice, made, { type: 'moved', moves: [{ from: TOTE, to: 'product/bag' }] });
    const events = JSON.parse(JSON.stringify([...snapshotEvents(state, [], at(9))])) as StateEvent[];
    const again = events.reduce(fold, emptyState());
    expect(again.objects.get('product/bag')).toMatchObject({
      status: 'done',
      result: { id: 'p-2' },
      possibleDuplicates: [RESET],
    });
  });
});

it('a create that was sent once has no possible duplicate', () => {
  const object = folded(intent(TOTE), made).objects.get(TOTE);
  expect(object).not.toHaveProperty('possibleDuplicates');
});
