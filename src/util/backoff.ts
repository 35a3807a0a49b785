/** Milliseconds of backoff: uniform between 0 and min(cap, base × 2^(attempt-1)). */
export function fullJitter(options: {
  /** 1 for the wait after the first attempt. */
  attempt: number;
  baseMs: number;
  capMs: number;
  random: () => number;
}): number {
  const { attempt, baseMs, capMs, random } = options;
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** (attempt - 1)));
}
