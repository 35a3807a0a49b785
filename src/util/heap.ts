export type Heap<T extends object> = ReturnType<typeof createHeap<T>>;

/**
 * A binary heap: `pop` gives the value that is `before` all others; push and pop take O(log n). `before` must be a
 * strict order.
 */
export function createHeap<T extends object>(before: (a: T, b: T) => boolean) {
  const items: T[] = [];

  function swapIfBefore(child: number, parent: number): boolean {
    const lower = items[child];
    const upper = items[parent];
    if (!lower || !upper || !before(lower, upper)) return false;
    items[child] = upper;
    items[parent] = lower;
    return true;
  }

  function rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!swapIfBefore(at, parent)) return;
      at = parent;
    }
  }

  function sink(): void {
    let at = 0;
    for (;;) {
      const left = items[2 * at + 1];
      const right = items[2 * at + 2];
      const child = left && right && before(right, left) ? 2 * at + 2 : 2 * at + 1;
      if (!swapIfBefore(child, at)) return;
      at = child;
    }
  }

  return {
    push(item: T) {
      rise(items.push(item) - 1);
    },
    peek: () => items[0],
    pop(): T | undefined {
      const first = items[0];
      const last = items.pop();
      if (last && items.length > 0) {
        items[0] = last;
        sink();
      }
      return first;
    },
  };
}
