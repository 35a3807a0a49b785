import type { RunState } from '../model/run-state.ts';

const RECENT_POSTS = 64;

/** How long the posts that were generated last took, in milliseconds: the median. Undefined where there is none. */
export function usualTime({ media }: Pick<RunState, 'media'>): number | undefined {
  const times: number[] = [];
  for (const { takes } of media.values())
    for (const { requestedAt, settledAt, status } of takes)
      if (status === 'done' && settledAt !== undefined)
        times.push(Date.parse(settledAt) - Date.parse(requestedAt));
  const recent = times.slice(-RECENT_POSTS).toSorted((a, b) => a - b);
  return recent[Math.floor(recent.length / 2)];
}
