import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPriorityQueue } from '../../src/util/priority-queue.ts';

describe('createPriorityQueue', () => {
  it('gives nothing when it is empty', () => {
    const queue = createPriorityQueue<{ at: number }>((a, b) => a.at < b.at);
    expect([queue.peek(), queue.pop()]).toEqual([undefined, undefined]);
  });

  it('gives its items back in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (numbers) => {
        const queue = createPriorityQueue<{ at: number }>((a, b) => a.at < b.at);
        for (const at of numbers) queue.push({ at });
        const popped = numbers.map(() => queue.pop()?.at);
        expect(popped).toEqual([...numbers].sort((a, b) => a - b));
        expect(queue.pop()).toBeUndefined();
      }),
    );
  });

  // Where each of them moves all others, this does not end.
  it.each(['rising', 'falling'])('takes a million items that come in %s order', (order) => {
    const queue = createPriorityQueue<number>((a, b) => a < b);
    for (let at = 0; at < 1_000_000; at += 1) queue.push(order === 'rising' ? at : 999_999 - at);
    expect([queue.pop(), queue.pop(), queue.pop()]).toEqual([0, 1, 2]);
  });
});
