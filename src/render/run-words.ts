import { splitTake } from '../model/address.ts';
import { KINDS, type NodeKind, storedAs } from '../model/kinds.ts';
import type { NodeCounts, NodeEnd } from '../model/run-event.ts';
import type { Action } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { inertText } from '../util/inert-text.ts';

/** An address without its take, because only one take at a time is shown. */
export function shortAddress(address: string): string {
  return storedAs(address) === 'request' ? address : splitTake(address).address;
}

export function workingWord(kind: NodeKind, action: Action): string {
  return action === 'update' ? 'updating' : KINDS[kind].words.working;
}

export function endWord(kind: NodeKind, action: Action, end: NodeEnd): string {
  if (end !== 'done') return end === 'put-off' ? 'put off' : end;
  return action === 'update' ? 'updated' : KINDS[kind].words.done;
}

export function problemText({ summary, detail }: Problem): string {
  return inertText(detail ? `${summary}: ${detail}` : summary);
}

/** When the service asked to be tried again, if it did. */
export function comeBackText({ retry_at: at }: Problem): string {
  return at === undefined ? '' : `; come back after ${timeText(at)}`;
}

/** `2026-11-22 14:30 UTC`, rounded up to a full minute. */
export function timeText(iso: string): string {
  const minute = 60_000;
  const at = new Date(Math.ceil(Date.parse(iso) / minute) * minute).toISOString();
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

/** Milliseconds as `0.4 s`, `12 s`, `3 min 20 s`. */
export function durationText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `12 created, 1 updated, 40 unchanged, 4 files downloaded`: what is zero is left out. */
export function countsText(counts: NodeCounts): string {
  const { downloaded, ...nodes } = counts;
  const parts = Object.entries(nodes).flatMap(([name, count]) => (count ? [`${count} ${name}`] : []));
  if (downloaded) parts.push(`${downloaded} ${downloaded === 1 ? 'file' : 'files'} downloaded`);
  return parts.join(', ') || 'nothing to do';
}
