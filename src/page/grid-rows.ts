/** The grid of the contact sheet as rows, and where the arrow keys lead in it. Pure. */
import type { Section } from './sheet-filter.ts';

export type GridRow =
  | { readonly kind: 'heading'; readonly value: string; readonly count: number }
  | { readonly kind: 'tiles'; readonly posts: readonly string[] };

export interface Grid {
  readonly columns: number;
  readonly rows: readonly GridRow[];
  /** Each post's row and column, in the order in which they stand. */
  readonly places: ReadonlyMap<string, { readonly row: number; readonly column: number }>;
  readonly order: readonly string[];
}

export function layGrid(sections: readonly Section[], columns: number): Grid {
  const rows: GridRow[] = [];
  const places = new Map<string, { row: number; column: number }>();
  for (const { value, posts } of sections) {
    rows.push({ kind: 'heading', value, count: posts.length });
    for (let start = 0; start < posts.length; start += columns) {
      const part = posts.slice(start, start + columns);
      for (const [column, post] of part.entries()) places.set(post, { row: rows.length, column });
      rows.push({ kind: 'tiles', posts: part });
    }
  }
  return { columns, rows, places, order: [...places.keys()] };
}

export type Direction = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** The post in this direction; the same one at an edge. Up and down keep the column as far as a row has it. */
export function moveInGrid(grid: Grid, from: string | undefined, direction: Direction): string | undefined {
  const { order, rows, places } = grid;
  const place = from === undefined ? undefined : places.get(from);
  if (direction === 'first' || !place) return order[0];
  if (direction === 'last') return order.at(-1);
  if (direction === 'left' || direction === 'right')
    return moveInOrder(order, from, direction === 'left' ? -1 : 1);
  const step = direction === 'up' ? -1 : 1;
  for (let row = place.row + step; row >= 0 && row < rows.length; row += step) {
    const next = rows[row];
    if (next?.kind === 'tiles') return next.posts[Math.min(place.column, next.posts.length - 1)];
  }
  return from;
}

/** `step` places on, and no further than the ends. */
export function moveInOrder(
  order: readonly string[],
  from: string | undefined,
  step: number,
): string | undefined {
  const index = from === undefined ? -1 : order.indexOf(from);
  if (index < 0) return order[0];
  return order[Math.max(0, Math.min(order.length - 1, index + step))];
}

/** What lies between two posts, both included. */
export function between(order: readonly string[], one: string, other: string): string[] {
  const [first, last] = [order.indexOf(one), order.indexOf(other)].sort((a, b) => a - b);
  return first === undefined || last === undefined || first < 0 ? [] : order.slice(first, last + 1);
}

/** The post that was framed where it is still there, else the nearest that is: first after it, then before it. */
export function nearest(
  before: readonly string[],
  after: readonly string[],
  framed: string | undefined,
): string | undefined {
  const there = new Set(after);
  const index = framed === undefined ? -1 : before.indexOf(framed);
  if (index < 0) return after[0];
  const next = before.slice(index).find((post) => there.has(post));
  return next ?? before.slice(0, index).findLast((post) => there.has(post)) ?? after[0];
}
