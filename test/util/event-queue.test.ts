import { expect, it } from 'vitest';
import { createEventQueue } from '../../src/util/event-queue.ts';

async function drained<T>(values: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const value of values) seen.push(value);
  return seen;
}

it('gives what was pushed before and while somebody iterates, and ends behind it', async () => {
  const queue = createEventQueue<number>();
  queue.push(1);
  queue.push(2);
  const seen = drained(queue);
  await Promise.resolve();
  queue.push(3);
  queue.end();
  expect(await seen).toEqual([1, 2, 3]);
});

it('ends with an error only behind what was pushed', async () => {
  const queue = createEventQueue<number>();
  queue.push(1);
  queue.end(new Error('a bug'));
  const seen: number[] = [];
  const all = async () => {
    for await (const value of queue) seen.push(value);
  };
  await expect(all()).rejects.toThrow('a bug');
  expect(seen).toEqual([1]);
});

it('goes on where an iteration was left', async () => {
  const queue = createEventQueue<number>();
  for (const value of [1, 2, 3]) queue.push(value);
  queue.end();
  for await (const value of queue) {
    expect(value).toBe(1);
    break;
  }
  expect(await drained(queue)).toEqual([2, 3]);
});

it('gives each value once to several iterations, and ends all of them', async () => {
  const queue = createEventQueue<number>();
  const all = [drained(queue), drained(queue)];
  await Promise.resolve();
  for (const value of [1, 2, 3]) queue.push(value);
  queue.end();
  expect((await Promise.all(all)).flat().sort((a, b) => a - b)).toEqual([1, 2, 3]);
});
