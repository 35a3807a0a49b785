/** Which lines of a plan are shown one by one, and which ones as groups, so that a plan of any size can be read. */
import type { PlanEntry, Sign } from './plan-entries.ts';
import { type GroupBy, groupEntries, joinGroups, type PlanGroup } from './plan-groups.ts';
import { type PlanRow, rowLines, withSharedCauses } from './plan-rows.ts';

/** A plan with more lines than these, requests left out, is shown in groups. */
const MOST_LISTED = 40;
/** Of the lines of a plan, so many are its head and its sum. */
const AROUND = 10;

/** `lines`: how many a plan of whatever size may have; what cannot be joined any more has its line all the same. */
export type PlanDetail = 'all' | { readonly lines: number };

export const WHOLE_PAGE = { lines: 100 };

const COARSER: readonly (GroupBy | 'each')[] = [
  'each',
  'cause',
  'kind of cause',
  'kind of cause, all post plans',
  'sign',
];

/** What pays again or deletes is listed as long as there is room, and grouped after everything else. */
const EXACT: ReadonlySet<Sign> = new Set(['again', 'replace', 'held', 'held-up', 'delete', 'withheld']);

export function isExact({ sign }: { readonly sign: Sign }): boolean {
  return EXACT.has(sign);
}

/** `all`: each line by itself, however many there are. The entries are made as often as they are gone through: kept, they take much. */
export function* outlineOf(entries: () => Iterable<PlanEntry>, detail: PlanDetail): Iterable<PlanRow> {
  if (detail === 'all') {
    for (const entry of entries()) yield { type: 'entry', entry };
    return;
  }
  const most = detail.lines - AROUND;
  yield* listedAlone(entries(), most) ?? folded(entries(), most);
}

/** The entries, each in a line of its own, if they are few enough for that. */
function listedAlone(entries: Iterable<PlanEntry>, most: number): readonly PlanRow[] | undefined {
  const listed: PlanEntry[] = [];
  let counted = 0;
  for (const entry of entries) {
    listed.push(entry);
    if (entry.sign !== 'request') counted += 1;
    if (counted > Math.min(MOST_LISTED, most)) return undefined;
  }
  const rows = withSharedCauses(listed);
  return linesOf(rows) > most ? undefined : rows;
}

/** Entries of one sign and kind. */
interface Section {
  readonly entries: readonly PlanEntry[] | undefined;
  readonly finest: readonly PlanGroup[];
  level: number;
  rows: readonly PlanRow[];
}

function folded(entries: Iterable<PlanEntry>, most: number): readonly PlanRow[] {
  const exact = new Map<string, PlanEntry[]>();
  const finest = groupEntries(keepExact(entries, { kept: exact, most }));
  const sections = new Map<string, Section>();
  for (const { sign, kind } of finest) {
    const key = `${sign} ${kind}`;
    if (sections.has(key)) continue;
    const few = exact.get(key) ?? [];
    const section = {
      entries: few.length && few.length <= most ? few : undefined,
      finest: finest.filter((group) => `${group.sign} ${group.kind}` === key),
    };
    sections.set(key, { ...section, level: -1, rows: [] });
  }
  for (const section of sections.values()) coarsen(section);
  const all = [...sections.values()];
  while (all.reduce((sum, { rows }) => sum + linesOf(rows), 0) > most) {
    const longest = all.filter(({ level }) => level < COARSER.length - 1).sort(byWeight)[0];
    if (!longest) break;
    coarsen(longest);
  }
  return all.flatMap(({ rows }) => rows);
}

/** The first of each section, which are all of them if they are few. */
function* keepExact(
  entries: Iterable<PlanEntry>,
  { kept, most }: { readonly kept: Map<string, PlanEntry[]>; readonly most: number },
): Iterable<PlanEntry> {
  for (const entry of entries) {
    yield entry;
    if (!isExact(entry)) continue;
    const key = `${entry.sign} ${entry.kind}`;
    const few = kept.get(key) ?? [];
    kept.set(key, few);
    if (few.length <= most) few.push(entry);
  }
}

function coarsen(section: Section): void {
  section.level += 1;
  const by = COARSER[section.level] ?? 'sign';
  if (by !== 'each') section.rows = joinGroups(section.finest, by).map((group) => rowOf(group, by));
  else if (section.entries) section.rows = withSharedCauses(section.entries);
  else coarsen(section);
}

/** What is alone in its group has its own line, with the causes below. */
function rowOf(group: PlanGroup, by: GroupBy): PlanRow {
  const isAlone = group.entries === 1 && by === 'cause' && group.sign !== 'request';
  return isAlone ? { type: 'entry', entry: group.first } : { type: 'group', group };
}

function byWeight(a: Section, b: Section): number {
  return weight(b) - weight(a);
}

function weight({ rows, finest: [first] }: Section): number {
  return first && isExact(first) ? linesOf(rows) / 2 : linesOf(rows);
}

function linesOf(rows: readonly PlanRow[]): number {
  return rows.reduce((sum, row) => sum + rowLines(row), 0);
}
