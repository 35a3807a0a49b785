import { KINDS, type NodeKind } from '../model/kinds.ts';
import type { Action } from '../model/plan.ts';
import type { NodeCounts, NodeEnd, UnverifiedFile } from '../model/run-event.ts';
import { count, nonZero } from '../util/count.ts';
import type { LeftOver } from '../views/run-counts.ts';
import { groupBy } from '../util/group-by.ts';
import { inertText } from '../util/inert-text.ts';

export function workingWord(kind: NodeKind, action: Action): string {
  if (action === 'delete') return 'deleting';
  return action === 'update' ? 'updating' : KINDS[kind].words.working;
}

export function endWord(kind: NodeKind, action: Action, end: NodeEnd): string {
  if (end !== 'done') return end === 'put-off' ? 'put off' : end;
  if (action === 'delete') return 'deleted';
  return action === 'update' ? 'updated' : KINDS[kind].words.done;
}

/** `2026-11-22 14:30 UTC`, rounded up to a full minute. */
export function timeText(iso: string): string {
  const minute = 60_000;
  const at = new Date(Math.ceil(Date.parse(iso) / minute) * minute).toISOString();
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

/**
 * `12 created, 1 updated, 40 unchanged, 4 files downloaded`: what is zero is left out. Where only the counts are known,
 * what is left to another run is one number.
 */
export function countsText(counts: NodeCounts, left?: LeftOver): string {
  const { downloaded, pending, ...nodes } = counts;
  const parts = nonZero([
    ...Object.entries(nodes).map(([name, number]) => [number, name] as const),
    ...leftParts(pending, left),
  ]);
  if (downloaded) parts.push(`${count(downloaded, 'file')} downloaded`);
  return parts.join(', ') || 'nothing to do';
}

/** What is left to another run, each kind by its own word. */
export function leftParts(
  pending: number,
  left: LeftOver | undefined,
): readonly (readonly [number, string])[] {
  if (!left) return [[pending, 'left to another run']];
  return [
    [left.pending, 'pending'],
    [left.to_request, 'to request'],
    [left.over_budget, 'over budget'],
    [left.to_download, 'to download'],
    [left.put_off, 'put off'],
  ];
}

const SHOWN = 5;

/** A line for each reason, with its files; `outputs --json` has them all. */
export function unverifiedLines(files: readonly UnverifiedFile[]): string[] {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return [...groupBy(sorted, ({ why }) => why)].map(([why, alike]) => {
    const named = alike.slice(0, SHOWN).map(({ path }) => path);
    const more = alike.length > SHOWN ? ` and ${alike.length - SHOWN} more` : '';
    const are = alike.length === 1 ? 'is' : 'are';
    const text = `${named.join(', ')}${more} ${are} kept unverified: ${why}. Two fetches gave the same bytes; look before you use them.`;
    return inertText(text);
  });
}
