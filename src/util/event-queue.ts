import { deferred } from './deferred.ts';

/**
 * Values that somebody pushes and somebody else iterates over. Each is given once: an iteration goes on where an earlier
 * one was left, and several at a time share the values and all come to the end.
 */
export interface EventQueue<T> extends AsyncIterable<T> {
  push(value: T): void;
  /** The iteration ends behind what was pushed, by this error if there is one. */
  end(error?: unknown): void;
}

export function createEventQueue<T>(): EventQueue<T> {
  const values: T[] = [];
  let over: { error?: unknown } | undefined;
  let changed = deferred<void>();
  const wake = () => {
    changed.resolve();
    changed = deferred();
  };
  // Taking them from the front of the array would move all others each time.
  let given = 0;
  return {
    push(value) {
      values.push(value);
      wake();
    },
    end(error) {
      over = { error };
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (given < values.length) yield values[given++] as T;
        values.length = 0;
        given = 0;
        if (over?.error !== undefined) throw over.error;
        if (over) return;
        await changed.promise;
      }
    },
  };
}
