import type { StateEvent } from '../model/state-event.ts';
import { isJsonObject } from '../util/json.ts';
import { EVENT_TYPES } from './generated/event-types.js';

/** Where a record stands: its number, and its checksum, which goes over all records before it. */
export interface RecordPlace {
  readonly seq: number;
  readonly crc: number;
}

/** One event of a run, and its place in the log. */
export interface LogRecord {
  readonly seq: number;
  readonly run: string;
  readonly event: StateEvent;
}

/**
 * Whether a value is an event that this version knows, and not one of a newer format. The checksum says that we wrote the
 * line, so the type alone decides.
 */
export function isStateEvent(value: unknown): value is StateEvent {
  return isJsonObject(value) && typeof value['type'] === 'string' && EVENT_TYPES.has(value['type']);
}
