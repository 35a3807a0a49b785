import { describe, expect, it } from 'vitest';
import { orderState } from '../../src/log/fold-state.ts';
import { createdRequest, folded, type Happening, intent, requested } from './fold-events.ts';

function made(address: string): Happening[] {
  return [intent(address), { type: 'created', address, result: { id: `id of ${address}` } }];
}

function keysOf(...happenings: readonly Happening[]): string[][] {
  const state = folded(...happenings);
  orderState(state);
  return [state.objects, state.requests, state.media].map((nodes) => [...nodes.keys()]);
}

describe('the order of a state', () => {
  const objects = ['product/mug', 'concept/a', 'product/cap'].map(made);
  const ordered = ['product/cap', 'product/mug', 'concept/a'];

  it('is that of kinds and addresses, whichever answer came first', () => {
    expect(keysOf(...objects.flat())[0]).toEqual(ordered);
    expect(keysOf(...objects.toReversed().flat())[0]).toEqual(ordered);
    expect(keysOf(...ordered.flatMap(made))[0]).toEqual(ordered);
    expect(keysOf()).toEqual([[], [], []]);
  });

  it('keeps requests and items of one post in their own order: 2 before 10, and keys as they were asked for', () => {
    const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
    const hero = numbers.flatMap((n) => [requested(n, ['tour', 'kitchen', '1']), createdRequest(n)]);
    expect(keysOf(requested(1, ['1'], 'story'), createdRequest(1, [], 'story'), ...hero).slice(1)).toEqual([
      [...numbers.map((n) => `media-config/hero@${n}`), 'media-config/story@1'],
      ['media/hero/tour', 'media/hero/kitchen', 'media/hero/1', 'media/story/1'],
    ]);
  });
});
