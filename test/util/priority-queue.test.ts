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
});
