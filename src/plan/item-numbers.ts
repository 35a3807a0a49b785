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

/** The names of items that were requested, by post; they are only looked up where a post has items left without one. */
export function requestedNames({ requests }: RunState): (post: string) => ReadonlySet<string> {
  let byPost: Map<string, Set<string>> | undefined;
  return (post) => {
    if (!byPost) {
      byPost = new Map();
      for (const { payload } of requests.values()) {
        const names = byPost.get(payload.post) ?? new Set();
        byPost.set(payload.post, names);
        for (const { item } of payload.items) names.add(item);
      }
    }
    return byPost.get(post) ?? new Set();
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
