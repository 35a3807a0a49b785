/** Verdicts about posts that were forgotten are spent, so the state keeps the ids of their media. */
import { expect, it } from 'vitest';
import { fold, emptyState } from '../../src/log/fold.ts';
import { snapshotEvents } from '../../src/log/snapshot.ts';
import { heroOf } from '../support/campaign.ts';
import { after, AT, stateAfter } from '../support/play-plan.ts';

const words = heroOf({ key: 'kitchen' }, { key: 'shelf' });
const forgotten = (address: string) => ({ type: 'forgotten' as const, at: AT, address });
const ids = ['id of media/hero/kitchen@1', 'id of media/hero/shelf@1'];

it.each([
  ['media/hero/kitchen', ids.slice(0, 1)],
  ['media/hero/kitchen@1', ids.slice(0, 1)],
  ['media-config/hero@1', ids],
  ['download/hero/kitchen', []],
  ['product/tote', []],
])('forgetting %s keeps the ids of its media', (address, gone) => {
  expect([...after(stateAfter(words), forgotten(address)).gone]).toEqual(gone);
});

it('a post that never had an id leaves none', () => {
  const open = stateAfter(words, { 'media/hero/kitchen@1': 'open' });
  expect(after(open, forgotten('media/hero/kitchen')).gone.size).toBe(0);
});

it('a compacted log keeps them', () => {
  const state = after(stateAfter(words), forgotten('media/hero/kitchen'));
  const events = [...snapshotEvents(state, [], AT)];
  const again = emptyState();
  for (const event of events) fold(again, event);
  expect(again.gone).toEqual(state.gone);
  expect(events.length - 1).toBe([...snapshotEvents({ ...state, gone: new Set() }, [], AT)].length);
});
