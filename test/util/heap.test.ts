import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/util/heap.ts';

describe('createHeap', () => {
  it('gives nothing when it is empty', () => {
    const heap = createHeap<{ at: number }>((a, b) => a.at < b.at);
    expect([heap.size, heap.peek(), heap.pop()]).toEqual([0, undefined, undefined]);
  });

  it('gives its items back in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (numbers) => {
        const heap = createHeap<{ at: number }>((a, b) => a.at < b.at);
        for (const at of numbers) heap.push({ at });
        expect(heap.size).toBe(numbers.length);
        const popped = numbers.map(() => heap.pop()?.at);
        expect(popped).toEqual([...numbers].sort((a, b) => a - b));
        expect(heap.size).toBe(0);
      }),
    );
  });
});
