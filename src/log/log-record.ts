import type { StateEvent } from '../model/state-event.ts';
import { isJsonObject } from '../util/json.ts';

/** One event of a run, and its place in the log. */
export interface LogRecord {
  readonly seq: number;
  readonly run: string;
  readonly event: StateEvent;
}

/** Every type of event; a type that is not here belongs to a newer format. */
export const EVENT_TYPES: Readonly<Record<string, true>> = {
  'run-started': true,
  intent: true,
  created: true,
  rejected: true,
  'not-sent': true,
  throttled: true,
  unknown: true,
  uploaded: true,
  updated: true,
  updating: true,
  accepted: true,
  failed: true,
  seen: true,
  listed: true,
  generated: true,
  'generation-failed': true,
  lost: true,
  downloaded: true,
  moved: true,
  resolved: true,
  learned: true,
  forgotten: true,
  rebound: true,
  kept: true,
  'run-finished': true,
} satisfies Record<StateEvent['type'], true>;

/** Whether a value is an event that this version knows: the checksum says that we wrote the line, so the type alone decides. */
export function isStateEvent(value: unknown): value is StateEvent {
  return isJsonObject(value) && typeof value['type'] === 'string' && EVENT_TYPES[value['type']] === true;
}
