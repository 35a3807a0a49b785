/** Products × concepts × formats: how far each combination is. Pure, for the page and for what it shows without scripts. */
import type { ReportData, SheetPost, SheetStatus } from './report-data.ts';

/** Posts of one cell, row or column; `asked` counts each once, by its status. */
export interface CoverageCounts {
  readonly asked: number;
  readonly statuses: Readonly<Partial<Record<SheetStatus, number>>>;
  /** Of those that are done or pending, the ones whose inputs have changed since. */
  readonly outOfDate: number;
}

export interface CoverageColumn {
  readonly concept: string | null;
  readonly name: string;
  /** `4:5 image`, in the order in which the manifest asks for them. */
  readonly formats: readonly string[];
}

export interface CoverageRow {
  readonly product: string | null;
  readonly name: string;
  /** One for each format of each column, in their order; undefined where nothing is asked for. */
  readonly cells: readonly (CoverageCounts | undefined)[];
  readonly sum: CoverageCounts;
}

export interface CoverageTable {
  readonly columns: readonly CoverageColumn[];
  readonly rows: readonly CoverageRow[];
  /** Of each format of each column. */
  readonly sums: readonly CoverageCounts[];
  readonly sum: CoverageCounts;
}

type Covered = Pick<ReportData, 'posts' | 'products' | 'concepts'>;

interface Mutable {
  asked: number;
  statuses: Partial<Record<SheetStatus, number>>;
  outOfDate: number;
}

/** Posts that the manifest does not ask for count nowhere. One that shows several products counts at its first one. */
export function coverageTable({ posts, products, concepts }: Covered): CoverageTable {
  const wanted = posts.filter((post) => post.wanted);
  const columns = namesOf(wanted, 'concept', concepts).map(([concept, name]) => ({
    concept,
    name,
    formats: formatsOf(wanted.filter((post) => post.concept === concept)),
  }));
  const places = new Map<string, number>();
  for (const { concept, formats } of columns)
    for (const format of formats) places.set(placeKey(concept, format), places.size);
  const sums = Array.from({ length: places.size }, nothing);
  const sum = nothing();
  const rows = new Map(
    namesOf(wanted, 'product', products).map(([product, name]) => [
      product,
      { product, name, cells: Array.from<Mutable | undefined>({ length: places.size }), sum: nothing() },
    ]),
  );
  for (const post of wanted) {
    const row = rows.get(post.product);
    const place = places.get(placeKey(post.concept, formatOf(post)));
    if (!row || place === undefined) continue;
    const cell = (row.cells[place] ??= nothing());
    for (const counts of [cell, row.sum, sums[place], sum]) if (counts) add(counts, post);
  }
  return { columns, rows: [...rows.values()], sums, sum };
}

/** `4:5 image` */
export function formatOf({ type, ratio }: Pick<SheetPost, 'type' | 'ratio'>): string {
  return `${ratio} ${type}`;
}

/** Those that have posts, in the order of the manifest; what it does not define comes last. */
function namesOf(
  posts: readonly SheetPost[],
  part: 'product' | 'concept',
  known: readonly { readonly key: string; readonly name: string }[],
): (readonly [string | null, string])[] {
  const used = new Set(posts.map((post) => post[part]));
  const named = known.flatMap(({ key, name }) => (used.delete(key) ? [[key, name] as const] : []));
  const others = [...used].map((key) => [key, key ?? `without a ${part} of this campaign`] as const);
  return [...named, ...others];
}

function formatsOf(posts: readonly SheetPost[]): string[] {
  return [...new Set(posts.map(formatOf))];
}

/** Keys hold no space. */
function placeKey(concept: string | null, format: string): string {
  return `${concept ?? ''} ${format}`;
}

function nothing(): Mutable {
  return { asked: 0, statuses: {}, outOfDate: 0 };
}

function add(counts: Mutable, { status, outOfDate }: SheetPost): void {
  counts.asked += 1;
  counts.statuses[status] = (counts.statuses[status] ?? 0) + 1;
  if (outOfDate) counts.outOfDate += 1;
}
