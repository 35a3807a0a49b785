/** What an apply has let go of: the mark of each, and what takes it away. */
import { expect, it } from 'vitest';
import { emptyState, fold } from '../../src/log/fold.ts';
import { snapshotEvents } from '../../src/log/snapshot.ts';
import { heroOf } from '../support/campaign.ts';
import { after, AT, stateAfter } from '../support/play-plan.ts';
import { requested } from './fold-events.ts';
import type { StateEvent } from '../../src/model/state-event.ts';

const KITCHEN = 'media/hero/kitchen';
const SHELF = 'media/hero/shelf';
const seen = (addresses: string[], again: string[] = []) =>
  ({ type: 'let-go', at: AT, addresses, again }) as const;
const whole = stateAfter(heroOf({ key: 'kitchen' }, { key: 'shelf' }));
const marked = after(whole, seen([KITCHEN, SHELF, 'media/hero/unknown']));
const markedIn = ({ media }: typeof whole) =>
  [...media.values()].flatMap(({ address, letGo }) => (letGo ? [address] : []));

it('are marked, and the rest of them stays', () => {
  expect(markedIn(whole)).toEqual([]);
  expect(markedIn(marked)).toEqual([KITCHEN, SHELF]);
  expect({ ...marked.media.get(KITCHEN), letGo: undefined }).toEqual({
    ...whole.media.get(KITCHEN),
    letGo: undefined,
  });
});

it.each<[string, StateEvent, string[]]>([
  ['is named again', seen([], [KITCHEN, 'media/hero/unknown']), [SHELF]],
  [
    'moves',
    { type: 'moved', at: AT, moves: [{ from: KITCHEN, to: 'media/hero/stove' }] },
    [SHELF, 'media/hero/stove'],
  ],
  [
    'is accepted',
    { type: 'accepted', at: AT, address: `${KITCHEN}@1`, inputs: {}, fingerprint: '1' },
    [SHELF],
  ],
  ['is requested again', { ...requested(2, ['kitchen']), at: AT }, [SHELF]],
  ['is forgotten', { type: 'forgotten', at: AT, address: KITCHEN }, [SHELF]],
  ['is generated', { type: 'seen', at: AT, address: `${KITCHEN}@1` }, [KITCHEN, SHELF]],
])('one that %s', (_, event, left) => {
  expect(markedIn(after(marked, event))).toEqual(left);
});

it('products and concepts are marked as well', () => {
  const [product, concept] = ['product/tote', 'concept/morning'];
  const let_go = after(whole, seen([product, concept]));
  const marks = ({ objects }: typeof whole) => [product, concept].map((each) => objects.get(each)?.letGo);
  expect(marks(let_go)).toEqual([true, true]);
  expect(marks(after(let_go, seen([], [product])))).toEqual([undefined, true]);
  const kept = [...snapshotEvents(let_go, [], AT)].reduce(fold, emptyState());
  expect(marks(kept)).toEqual([true, true]);
});

it('a request whose item they held up lets go of them with its intent', () => {
  const request = requested(1, ['1'], 'wall');
  if (request.type !== 'intent' || !request.request) throw new Error('no intent');
  const held = { ...request, at: AT, request: { ...request.request, letsGo: [SHELF] } } as StateEvent;
  expect(markedIn(after(whole, held))).toEqual([SHELF]);
});

it('are kept by a compacted log', () => {
  const events = [...snapshotEvents(marked, [], AT)];
  expect(markedIn(events.reduce(fold, emptyState()))).toEqual([KITCHEN, SHELF]);
});
