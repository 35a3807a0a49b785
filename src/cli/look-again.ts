/** Looks at a campaign again whenever its files may have changed, until it is stopped. It takes no lock. */
import { pauseFor } from '../engine/pause.ts';
import type { StopSignal } from '../engine/stopping.ts';
import type { Clock } from '../util/clock.ts';
import { deferred } from '../util/deferred.ts';
import { watchFiles } from '../util/watch-files.ts';

export interface Looking<Seen> {
  readonly clock: Clock;
  readonly stop: StopSignal;
  readonly files: readonly string[];
  readonly look: () => Promise<Seen>;
  readonly show: (seen: Seen) => void;
  /** For what the files do not tell, asked twice a second, and not while an answer is awaited. */
  readonly isAsSeen: (seen: Seen) => Promise<boolean>;
  /** Between two looks: at least this many milliseconds, and so many times as long as a look takes. */
  readonly pause: { readonly ms: number; readonly factor: number };
}

export async function lookAgain<Seen>(
  first: Seen,
  { clock, stop, files, look, show, isAsSeen, pause }: Looking<Seen>,
): Promise<void> {
  let seen = first;
  let woken = deferred<void>();
  const wake = () => woken.resolve();
  let isAsking = false;
  const ask = async () => {
    isAsking = true;
    if (!(await isAsSeen(seen))) wake();
    isAsking = false;
  };
  const poll = () => {
    if (!isAsking) void ask();
  };
  const unwatch = watchFiles(files, { clock, changed: wake, poll });
  const release = stop.onChange(wake);
  try {
    show(seen);
    for (;;) {
      await woken.promise;
      if (stop.level !== 'run') return;
      woken = deferred();
      const started = clock.monotonic();
      seen = await look();
      show(seen);
      await pauseFor(Math.max(pause.ms, pause.factor * (clock.monotonic() - started)), clock, stop);
    }
  } finally {
    release();
    unwatch();
  }
}
