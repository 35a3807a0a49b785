/**
 * The formats of the log. Format 2 can hold what was spent (the cost of a request, when a kept request was sent, and what
 * a new log takes over), the ids of forgotten media, deletions, posts and edits that are left, and what `import` and `refresh`
 * say of objects and posts. A log of format 1 is rewritten as its snapshot before the first event that it cannot hold.
 */
import type { StateEvent } from '../model/state-event.ts';

export function formatOf(event: StateEvent): 1 | 2 {
  const isNewer =
    NEWER.has(event.type) || isPriced(event) || isDated(event) || isGone(event) || isMarked(event);
  return isNewer ? 2 : 1;
}

const NEWER: ReadonlySet<StateEvent['type']> = new Set([
  'spent',
  'deleting',
  'deleted',
  'not-deleted',
  'imported',
  'refreshed',
  'let-go',
]);

function isPriced(event: StateEvent): boolean {
  return event.type === 'intent' && event.request?.cost !== undefined;
}

function isDated(event: StateEvent): boolean {
  return event.type === 'kept' && (event.request?.requestedAt ?? event.request?.deleted) !== undefined;
}

function isGone(event: StateEvent): boolean {
  return event.type === 'kept' && event.gone !== undefined;
}

/** Imported, gone, changed elsewhere, left alone, or with an edit that was left. */
function isMarked(event: StateEvent): boolean {
  if (event.type !== 'kept') return false;
  const { object, request, media } = event;
  const nodes = [object, request, media, ...(media?.takes ?? [])];
  return nodes.some((node) => node && MARKS.some((mark) => mark in node));
}

const MARKS = ['imported', 'goneAt', 'drift', 'letGo'];
