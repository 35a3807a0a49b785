/** Numbers of items without a key: an item that is new gets the next one, which is never used again. */
import type { RunState } from '../model/run-state.ts';

/** For each post the first item number above those of all requests that may have made something. */
export function usedNumbers(state: RunState): Map<string, number> {
  const used = new Map<string, number>();
  for (const { status, payload, deleted } of state.requests.values()) {
    if (status !== 'done' && status !== 'unknown' && !deleted) continue;
    used.set(payload.post, Math.max(used.get(payload.post) ?? 1, payload.nextItem));
  }
  return used;
}

/** The number of the next request of a post. It is never used again, even if the post was renamed in between. */
export function requestNumbers(state: RunState): (post: string) => number {
  let last: Map<string, number> | undefined;
  return (post) => {
    if (!last) {
      const numbers = new Map<string, number>();
      const seen = (of: string, n: number) => numbers.set(of, Math.max(numbers.get(of) ?? 0, n));
      for (const { payload } of state.requests.values()) seen(payload.post, payload.n);
      for (const { post: of, takes } of state.media.values()) for (const { n } of takes) seen(of, n);
      last = numbers;
    }
    return (last.get(post) ?? 0) + 1;
  };
}

export function numberAfter(items: Iterable<string>): number {
  let highest = 0;
  for (const item of items) if (isNumber(item)) highest = Math.max(highest, Number(item));
  return highest + 1;
}

export function isNumber(item: string): boolean {
  return /^\d+$/.test(item);
}
