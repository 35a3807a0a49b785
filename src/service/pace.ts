import type { Clock } from '../util/clock.ts';
import type { OpenAnswer } from './exchange.ts';
import { coded } from './stream-end.ts';

/** Code of a file that came more slowly than any file should. */
const TOO_SLOW = 'ERR_TOO_SLOW';

/** Fewer bytes than this in a minute, which is 1 kB a second, and the file is cut off. */
const LEAST_BYTES = 60_000;
const WINDOW_MS = 60_000;
/** The minute is measured anew so often: what came fast at first must not pay for what drips later. */
const STEP_MS = 10_000;

/** Cuts an answer off once less than 1 kB a second came for a minute. */
export function watchPace({ stream, ending }: Pick<OpenAnswer, 'stream' | 'ending'>, clock: Clock): void {
  /** Bytes that had come at the ends of the last steps, the oldest first. */
  const marks = [0];
  let stop = () => {};
  const measure = () => {
    const { transferred } = stream.downloadProgress;
    marks.push(transferred);
    if (marks.length > WINDOW_MS / STEP_MS) {
      const before = marks.shift() ?? 0;
      if (transferred - before < LEAST_BYTES) return ending.cut(coded(TOO_SLOW));
    }
    stop = clock.after(STEP_MS, measure);
  };
  stop = clock.after(STEP_MS, measure);
  void ending.reached.then(() => stop());
}
