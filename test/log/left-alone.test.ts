/** Posts that an apply saw to be left alone: the mark of each, and what takes it away. */
import { expect, it } from 'vitest';
import { emptyState, fold } from '../../src/log/fold.ts';
import { formatOf } from '../../src/log/format.ts';
import { snapshotEvents } from '../../src/log/snapshot.ts';
import { heroOf } from '../support/campaign.ts';
import { after, AT, stateAfter } from '../support/play-plan.ts';
import { requested } from './fold-events.ts';
import type { StateEvent } from '../../src/model/state-event.ts';

const KITCHEN = 'media/hero/kitchen';
const SHELF = 'media/hero/shelf';
const seen = (addresses: string[], again: string[] = []) =>
  ({ type: 'left-alone', at: AT, addresses, again }) as const;
const whole = stateAfter(heroOf({ key: 'kitchen' }, { key: 'shelf' }));
const marked = after(whole, seen([KITCHEN, SHELF, 'media/hero/unknown']));
const markedIn = ({ media }: typeof whole) =>
  [...media.values()].flatMap(({ address, leftAlone }) => (leftAlone ? [address] : []));

it('are marked, and the rest of them stays', () => {
  expect(markedIn(whole)).toEqual([]);
  expect(markedIn(marked)).toEqual([KITCHEN, SHELF]);
  expect({ ...marked.media.get(KITCHEN), leftAlone: undefined }).toEqual({
    ...whole.media.get(KITCHEN),
    leftAlone: undefined,
  });
});

it.each<[string, StateEvent, string[]]>([
  ['is named again', seen([], [KITCHEN, 'media/hero/unknown']), [SHELF]],
  ['moves', { type: 'moved', at: AT, from: KITCHEN, to: 'media/hero/stove' }, [SHELF, 'media/hero/stove']],
  [
    'is accepted',
    { type: 'accepted', at: AT, address: `${KITCHEN}@1`, inputs: {}, fingerprint: '1' },
    [SHELF],
  ],
  [
    'is forgotten already',
    { type: 'edit-left', at: AT, address: 'media/hero/x@1', inputs: {}, fingerprint: '' },
    [KITCHEN, SHELF],
  ],
  ['is requested again', { ...requested(2, ['kitchen']), at: AT }, [SHELF]],
  ['is forgotten', { type: 'forgotten', at: AT, address: KITCHEN }, [SHELF]],
  ['is generated', { type: 'seen', at: AT, address: `${KITCHEN}@1` }, [KITCHEN, SHELF]],
])('one that %s', (_, event, left) => {
  expect(markedIn(after(marked, event))).toEqual(left);
});

it('with an edit that was left are kept by a compacted log, and what they were made from takes it back', () => {
  const take = { at: AT, address: `${KITCHEN}@1`, inputs: { post_type: 'video' } };
  const edited = after(whole, { type: 'edit-left', ...take, fingerprint: 'f' });
  const [kept] = edited.media.get(KITCHEN)?.takes ?? [];
  expect(kept?.editLeft).toEqual({ inputs: take.inputs, fingerprint: 'f' });
  const again = [...snapshotEvents(edited, [], AT)].reduce(fold, emptyState());
  expect(again.media.get(KITCHEN)).toEqual(edited.media.get(KITCHEN));
  const back = { ...take, fingerprint: kept?.fingerprint ?? '' };
  expect(after(edited, { type: 'edit-left', ...back }).media.get(KITCHEN)).toEqual(whole.media.get(KITCHEN));
});

it('are kept by a compacted log, of format 2', () => {
  expect(formatOf(seen([KITCHEN]))).toBe(2);
  const events = [...snapshotEvents(marked, [], AT)];
  const formats = events.flatMap((event) => (event.type === 'kept' && event.media ? [formatOf(event)] : []));
  expect(formats).toEqual([2, 2]);
  expect(markedIn(events.reduce(fold, emptyState()))).toEqual([KITCHEN, SHELF]);
});
