import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/util/heap.ts';

describe('createHeap', () => {
  it('gives nothing when it is empty', () => {
    const heap = createHeap<{ at: number }>((a, b) => a.at < b.at);
    expect([heap.peek(), heap.pop()]).toEqual([undefined, undefined]);
  });

  it('gives its items back in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (numbers) => {
        const heap = createHeap<{ at: number }>((a, b) => a.at < b.at);
        for (const at of numbers) heap.push({ at });
        const popped = numbers.map(() => heap.pop()?.at);
        expect(popped).toEqual([...numbers].sort((a, b) => a - b));
        expect(heap.pop()).toBeUndefined();
      }),
    );
  });
});
