import { describe, expect, it } from 'vitest';
import { emptyState, fold } from '../../src/log/fold.ts';
import { snapshotEvents } from '../../src/log/snapshot.ts';
import { spendingOf } from '../../src/log/spending.ts';
import { storedEvent } from '../../src/log/stored-event.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { at, folded, type Happening, intent, PROBLEM, request, timed } from './fold-events.ts';

const TOTE = 'product/tote';
const MEANING = { inputs: { name: 'Tote' }, fingerprint: 'f1' };
const TOLD = { description: null, images: '0f' };
const IMPORTED: Happening = {
  type: 'imported',
  address: TOTE,
  ...MEANING,
  result: { id: 'p-1', told: TOLD },
};
const HERO = 'media-config/hero@1';
const IMPORTED_POSTS: Extract<Happening, { type: 'imported' }> = {
  type: 'imported',
  address: HERO,
  inputs: {},
  fingerprint: '',
  request: { ...request(1, ['1']), cost: 0 },
  result: { id: 'c-1', concept: 'k-1', items: { 1: { id: 'i-1' }, 10: { id: 'i-2' } }, surplus: ['10'] },
};
const UPDATED: Happening = { type: 'updated', address: TOTE, ...MEANING, result: { id: 'p-1' } };

const product = (...happenings: readonly Happening[]) => folded(...happenings).objects.get(TOTE);
type Refreshed = Extract<Happening, { type: 'refreshed' }>;
const refreshed = (found: 'here' | 'gone', more: Partial<Refreshed> = {}): Refreshed => ({
  type: 'refreshed',
  address: TOTE,
  found,
  ...more,
});

describe('an imported object', () => {
  it('is done with the inputs that the service has, and stays marked through updates', () => {
    expect(product(IMPORTED)).toMatchObject({ status: 'done', ...MEANING, imported: true });
    const failed: Happening = { type: 'failed', address: TOTE, problem: PROBLEM };
    expect(product(IMPORTED, { type: 'updating', address: TOTE }, failed, UPDATED)?.imported).toBe(true);
    expect(product(IMPORTED, { type: 'accepted', address: TOTE, ...MEANING })?.imported).toBe(true);
    const moved = folded(IMPORTED, { type: 'moved', moves: [{ from: TOTE, to: 'product/bag' }] });
    expect(moved.objects.get('product/bag')?.imported).toBe(true);
  });

  it('that was made anew was made by this state', () => {
    const created: Happening = { type: 'created', address: TOTE, result: { id: 'p-2' } };
    expect(product(IMPORTED, intent(TOTE), created)).not.toHaveProperty('imported');
    const notSent: Happening = { type: 'not-sent', address: TOTE, problem: PROBLEM };
    expect(product(IMPORTED, intent(TOTE), notSent)?.imported).toBe(true);
  });
});

describe('a moved object', () => {
  const told = { images: '0f' };
  const moved = (inputs: object, result: object) =>
    folded(
      {
        type: 'updated',
        address: TOTE,
        inputs: { ...inputs },
        fingerprint: 'f1',
        result: { id: 'p-1', ...result },
      },
      { type: 'moved', moves: [{ from: TOTE, to: 'product/bag' }] },
      { type: 'moved', moves: [{ from: 'product/bag', to: 'product/cap' }] },
    ).objects.get('product/cap')?.result;

  it('is still called by its first key at the service, where nobody has named it', () => {
    expect(moved({}, { told })).toEqual({ id: 'p-1', told: { ...told, name: 'tote' } });
    expect(moved({ name: 'Tote' }, { told })).toEqual({ id: 'p-1', told });
    expect(moved({}, { name: 'Tote', told })).toEqual({ id: 'p-1', name: 'Tote', told });
    expect(moved({}, {})).toEqual({ id: 'p-1' });
  });
});

describe('an imported request', () => {
  it('has posts to poll, surplus ones too, and counts as nothing spent, after compaction as well', () => {
    const state = folded(IMPORTED_POSTS);
    expect(state.requests.get(HERO)).toMatchObject({ status: 'done', imported: true });
    expect(
      [...state.media.values()].map(({ address, surplus, takes }) => [address, surplus, takes[0]?.status]),
    ).toEqual([
      ['media/hero/1', false, 'pending'],
      ['media/hero/10', true, 'pending'],
    ]);
    const events = [...snapshotEvents(state, [], at(9))];
    const again = events.reduce(fold, emptyState());
    expect(again).toEqual(state);
    for (const each of [state, again]) {
      expect(spendingOf(each, { image: 100n })).toEqual({ months: new Map(), run: { posts: 0, cost: 0n } });
    }
  });

  it('is nothing without its payload', () => {
    const { request: _, ...without } = IMPORTED_POSTS;
    expect(folded(without).requests.size).toBe(0);
  });
});

describe('what a refresh found', () => {
  it('is gone since the first time, and here again without a trace', () => {
    expect(product(IMPORTED, refreshed('gone'), refreshed('gone'))?.goneAt).toBe(at(1));
    expect(product(IMPORTED, refreshed('gone'), refreshed('here'))).toEqual(product(IMPORTED));
    expect(folded(IMPORTED_POSTS, refreshed('gone', { address: HERO })).requests.get(HERO)?.goneAt).toBe(
      at(1),
    );
  });

  it('keeps what was told, unless it tells something else, and what was changed elsewhere until it is updated', () => {
    const drift = { name: 'Bag' };
    expect(product(IMPORTED, refreshed('here', { drift }))).toMatchObject({ drift, result: { told: TOLD } });
    expect(product(IMPORTED, refreshed('here', { told: {} }))?.result).toEqual({ id: 'p-1', told: {} });
    expect(product(IMPORTED, refreshed('here', { drift }), refreshed('here'))).not.toHaveProperty('drift');
    expect(product(IMPORTED, refreshed('here', { drift }), UPDATED)).not.toHaveProperty('drift');
    // What the state does not have, or what has no result, is left alone.
    expect(product(refreshed('here'))?.result).toBeUndefined();
  });

  it('marks a post', () => {
    const address = 'media/hero/1@1';
    const gone: Happening = { type: 'refreshed', address, found: 'gone' };
    const take = (...more: readonly Happening[]) =>
      folded(IMPORTED_POSTS, ...more).media.get('media/hero/1')?.takes[0];
    expect(take(gone)?.goneAt).toBe(at(1));
    expect(take(gone, { type: 'refreshed', address, found: 'here' })).toEqual(take());
  });
});

it('what was told of a product is recorded', () => {
  const event = {
    type: 'created',
    at: at(1),
    address: TOTE,
    result: { id: 'p-1', told: TOLD },
  } as StateEvent;
  expect(storedEvent(event)).toEqual(event);
  const [imported] = timed(IMPORTED);
  expect(imported && storedEvent(imported)).toEqual(imported);
});
