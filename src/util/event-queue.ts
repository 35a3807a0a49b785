/** Values that somebody pushes and somebody else iterates over, once; none is lost while nobody waits for it. */
export interface EventQueue<T> extends AsyncIterable<T> {
  push(value: T): void;
  /** The iteration ends behind what was pushed, by this error if there is one. */
  end(error?: unknown): void;
}

export function createEventQueue<T>(): EventQueue<T> {
  const values: T[] = [];
  const over: { isOver: boolean; error?: unknown } = { isOver: false };
  let wake = () => {};
  return {
    push(value) {
      values.push(value);
      wake();
    },
    end(error) {
      over.isOver = true;
      over.error = error;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (values.length) yield* values.splice(0);
        if (over.error !== undefined) throw over.error;
        if (over.isOver) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
