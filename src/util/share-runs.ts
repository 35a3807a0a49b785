/**
 * `run` for many callers: who comes while it runs for the same key waits for the next run, which serves all of them. So
 * each caller's run has begun after its call.
 */
export function shareRuns(run: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();
  const begin = (key: string) => {
    next.delete(key);
    const now = run(key).finally(() => running.delete(key));
    running.set(key, now);
    return now;
  };
  return (key) => {
    const now = running.get(key);
    if (!now) return begin(key);
    const waiting = next.get(key) ?? now.catch(() => undefined).then(() => begin(key));
    next.set(key, waiting);
    return waiting;
  };
}
