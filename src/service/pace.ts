import type { Clock } from '../util/clock.ts';
import type { OpenAnswer } from './exchange.ts';
import { coded } from './stream-end.ts';

const LEAST_BYTES = 60_000;
const WINDOW_MS = 60_000;
/** How often the minute is measured anew, so that a fast beginning does not make up for a slow rest. */
const STEP_MS = 10_000;

/** Cuts an answer off after a minute with less than 1 kB a second. */
export function watchPace(
  { receivedBytes, ending }: Pick<OpenAnswer, 'receivedBytes' | 'ending'>,
  clock: Clock,
): void {
  /** Bytes that had come at the end of each of the last steps, the oldest first. */
  const marks = [receivedBytes()];
  let stop = () => {};
  const measure = () => {
    const received = receivedBytes();
    marks.push(received);
    if (marks.length > WINDOW_MS / STEP_MS) {
      const before = marks.shift() ?? 0;
      if (received - before < LEAST_BYTES) return ending.cut(coded('ERR_TOO_SLOW'));
    }
    stop = clock.after(STEP_MS, measure);
  };
  stop = clock.after(STEP_MS, measure);
  void ending.reached.then(() => stop());
}
