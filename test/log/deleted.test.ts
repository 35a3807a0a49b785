/** What a deletion leaves in the state: numbers of requests, what they cost, ids of media; and nothing before it is certain. */
import { describe, expect, it } from 'vitest';
import { emptyState, fold } from '../../src/log/fold.ts';
import type { FoldState } from '../../src/log/fold-state.ts';
import { snapshotEvents } from '../../src/log/snapshot.ts';
import { spendingOf, spentSince } from '../../src/log/spending.ts';
import { listState } from '../../src/views/list-state.ts';
import {
  at,
  createdRequest,
  folded,
  type Happening,
  intent,
  plain,
  PROBLEM,
  request,
  requested,
} from './fold-events.ts';

const deleting = (address: string): Happening => ({ type: 'deleting', address });
const deleted = (address: string): Happening => ({ type: 'deleted', address });
const refused = (address: string): Happening => ({ type: 'not-deleted', address, problem: PROBLEM });

const MADE: readonly Happening[] = [
  intent('product/tote'),
  { type: 'created', address: 'product/tote', result: { id: 'p-1' } },
  { type: 'uploaded', address: 'upload/0f', inputs: {}, fingerprint: 'u', result: {} },
  requested(1, ['1', '2']),
  createdRequest(1, ['9']),
  ...['1', '2'].map((item): Happening => {
    return { type: 'generated', address: `media/hero/${item}@1`, result: { id: `m-${item}`, urls: [] } };
  }),
  requested(2, ['1']),
  createdRequest(2),
];

const rows = (state: FoldState) => listState(state).map(({ address, status }) => `${address} ${status}`);

describe('a deletion', () => {
  const all = [deleting('media-config/hero@1'), deleted('media-config/hero@1'), deleted('product/tote')];

  it('forgets what is deleted, a request with its surplus posts, and keeps uploads and other takes', () => {
    const state = folded(...MADE, ...all);
    expect(rows(state)).toEqual(['upload/0f done', 'media-config/hero@2 done', 'media/hero/1 pending']);
    expect(state.requests.get('media-config/hero@1')).toEqual({
      address: 'media-config/hero@1',
      payload: request(1, ['1', '2']),
      at: at(4),
      requestedAt: at(3),
      status: 'skipped',
      deleted: true,
    });
    expect([...state.gone]).toEqual(['m-1', 'm-2']);
    expect(spentSince(spendingOf(state, {}), '')).toMatchObject({ posts: 3 });
  });

  it('is the same after the log was compacted', () => {
    const state = folded(...MADE, ...all);
    const events = [...snapshotEvents(state, [], at(99))];
    const compacted = events.reduce(fold, emptyState());
    expect(plain(compacted)).toEqual(plain(state));
  });

  it('finds posts that have another name since', () => {
    const state = folded(
      ...MADE,
      { type: 'moved', moves: [{ from: 'media/hero/2', to: 'media/door/2' }] },
      deleted('media-config/hero@1'),
    );
    expect(rows(state).filter((row) => row.startsWith('media/'))).toEqual(['media/hero/1 pending']);
  });

  it.each([
    ['interrupted', deleting('product/tote'), 'the deletion was interrupted'],
    ['refused', refused('product/tote'), 'refused'],
  ])('that was %s leaves the product, of which nobody knows what the service has', (_, event, summary) => {
    const state = folded(...MADE, event);
    expect(state.objects.get('product/tote')).toMatchObject({
      status: 'failed',
      result: { id: 'p-1' },
      problem: { summary },
    });
  });

  it('that is not certain leaves a request and its posts as they are', () => {
    const before = plain(folded(...MADE));
    for (const event of [deleting('media-config/hero@1'), refused('media-config/hero@1')])
      expect(plain(folded(...MADE, event))).toEqual(before);
  });

  it('changes nothing where there is nothing', () => {
    for (const make of [deleting, deleted, refused]) {
      const state = folded(make('product/tote'), make('media-config/hero@1'));
      expect(plain(state)).toEqual(plain(emptyState()));
    }
  });

  it('is not taken for a name that was moved: the undo stack goes, too', () => {
    const state = folded(intent('product/tote'), deleted('product/tote'));
    expect([state.objects.size, state.before.size]).toEqual([0, 0]);
  });
});
