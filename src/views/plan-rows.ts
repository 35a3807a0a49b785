/** The rows in which a plan is shown: entries by themselves, entries with one cause below all of them, and groups. */
import { groupBy } from '../util/group-by.ts';
import { causeKey, reasonLineCount, toldReasons } from './plan-causes.ts';
import { type PlanEntry, postOfEntry, type Sign } from './plan-entries.ts';
import { groupEntries, type PlanGroup } from './plan-groups.ts';

export type PlanRow =
  | { readonly type: 'entry'; readonly entry: PlanEntry }
  /** Several entries, each with its own line; their cause stands once. */
  | { readonly type: 'alike'; readonly first: PlanEntry; readonly entries: readonly PlanEntry[] }
  | { readonly type: 'group'; readonly group: PlanGroup };

/** All that stands in one row has the same sign. */
export function signOf(row: PlanRow): Sign {
  if (row.type === 'group') return row.group.sign;
  return (row.type === 'entry' ? row.entry : row.first).sign;
}

/** How many lines it takes. */
export function rowLines(row: PlanRow): number {
  if (row.type === 'group') return row.group.sign === 'unknown' ? 2 : 1;
  if (row.type === 'alike') return row.entries.length + HEAD + causeLines(row.first);
  return 1 + causeLines(row.entry) + (row.entry.sign === 'unknown' ? 1 : 0);
}

/** The line above a cause that several entries share. */
const HEAD = 1;

function causeLines(entry: PlanEntry | undefined): number {
  return reasonLineCount(toldReasons(entry?.reasons ?? []));
}

/** Entries whose causes are equal stand together, where that saves lines; all others stay in their order. */
export function withSharedCauses(entries: readonly PlanEntry[]): PlanRow[] {
  const explained = entries.filter((entry) => entry.sign !== 'resume' && causeLines(entry) > 0);
  const byCause = groupBy(explained, (entry) => `${entry.sign} ${entry.kind} ${causeKey(entry)}`);
  const alike = [...byCause.values()].filter((group) => (group.length - 1) * causeLines(group[0]) > HEAD);
  const groupOf = new Map(alike.flatMap((group) => group.map((entry) => [entry, group] as const)));
  const requests = alike.some(isOfSeveral) ? requestsOf(entries) : undefined;
  return entries.flatMap((entry): PlanRow[] => {
    if (requests && isRequest(entry))
      return requests.first === entry ? [{ type: 'group', group: requests }] : [];
    const group = groupOf.get(entry);
    if (!group) return [{ type: 'entry', entry }];
    return group[0] === entry ? [{ type: 'alike', first: entry, entries: group }] : [];
  });
}

/** Posts of several requests: these cannot stand above each of them. */
function isOfSeveral(entries: readonly PlanEntry[]): boolean {
  return new Set(entries.map(postOfEntry)).size > 1;
}

function isRequest({ sign, node }: PlanEntry): boolean {
  return sign === 'request' && node?.action === 'create';
}

/** All requests as one, where there are several. */
function requestsOf(entries: readonly PlanEntry[]): PlanGroup | undefined {
  const [group] = groupEntries(entries.filter(isRequest));
  return group && group.entries > 1 ? group : undefined;
}
