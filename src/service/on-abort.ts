import { setMaxListeners } from 'node:events';

/** Calls `run` when the signal aborts, until the returned function is called. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  // One signal covers a whole run and so all requests under way: many listeners are no leak.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', run, { once: true });
  return () => signal.removeEventListener('abort', run);
}
