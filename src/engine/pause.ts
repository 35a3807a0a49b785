import type { Clock } from '../util/clock.ts';
import type { StopSignal } from './stopping.ts';

/** Resolves after so many milliseconds, or as soon as the stop changes. */
export function pauseFor(ms: number, clock: Clock, stop: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      release();
      resolve();
    };
    const cancel = clock.after(ms, end);
    const release = stop.onChange(end);
  });
}
