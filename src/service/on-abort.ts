import { setMaxListeners } from 'node:events';

/** Calls `run` when the signal aborts, unless the returned function was called before. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  // One signal serves all requests of a run, so many listeners are no leak.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', run, { once: true });
  return () => signal.removeEventListener('abort', run);
}
