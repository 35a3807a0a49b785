import type { Clock } from '../../src/util/clock.ts';
import { createPriorityQueue } from '../../src/util/priority-queue.ts';

/** A clock that stands still until the test moves it. */
export interface ManualClock extends Clock {
  /** Moves time on, firing on the way what is due, and lets promises run after each. */
  advance(ms: number): Promise<void>;
  /** Lets promises run until nothing moves without time. */
  settle(): Promise<void>;
  /** Moves time on from timer to timer until `work` settles. */
  runUntil<T>(work: Promise<T>): Promise<T>;
  /** Sets the clocks on (or back) while the process stands still: what became due meanwhile fires afterwards. */
  jump(by: { readonly wall: number; readonly monotonic: number }): void;
  /** Timers that have not fired. */
  readonly pending: number;
}

interface Timer {
  readonly at: number;
  fire: (() => void) | undefined;
}

export function createManualClock(epochMs = Date.UTC(2026, 0, 1)): ManualClock {
  let elapsed = 0;
  let pending = 0;
  let wallAhead = 0;
  const timers = createPriorityQueue<Timer>((a, b) => a.at < b.at);

  async function settle(): Promise<void> {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }

  async function fireNext(): Promise<void> {
    const timer = timers.pop();
    if (!timer?.fire) return;
    elapsed = Math.max(elapsed, timer.at);
    pending -= 1;
    const { fire } = timer;
    timer.fire = undefined;
    fire();
    await settle();
  }

  return {
    now: () => epochMs + elapsed + wallAhead,
    monotonic: () => elapsed,
    after(ms, fire) {
      const timer: Timer = { at: elapsed + ms, fire };
      timers.push(timer);
      pending += 1;
      return () => {
        if (timer.fire) pending -= 1;
        timer.fire = undefined;
      };
    },
    async advance(ms) {
      await settle();
      const until = elapsed + ms;
      for (let timer = timers.peek(); timer && timer.at <= until; timer = timers.peek()) await fireNext();
      elapsed = until;
      await settle();
    },
    settle,
    async runUntil(work) {
      const state = { over: false };
      const over = () => {
        state.over = true;
      };
      work.then(over, over);
      await settle();
      while (!state.over) {
        if (!timers.peek()) throw new Error('nothing is due, and the work has not ended');
        await fireNext();
      }
      return work;
    },
    jump({ wall, monotonic }) {
      elapsed += monotonic;
      wallAhead += wall - monotonic;
    },
    get pending() {
      return pending;
    },
  };
}
