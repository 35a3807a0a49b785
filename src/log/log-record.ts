import type { StateEvent } from '../model/state-event.ts';
import { isJsonObject } from '../util/json.ts';
import { EVENT_TYPES } from './generated/event-types.js';

/** The place of a record: its number, and its checksum, which covers all records before it. */
export interface RecordPlace {
  readonly seq: number;
  readonly crc: number;
}

export interface LogRecord {
  readonly seq: number;
  readonly run: string;
  readonly event: StateEvent;
}

/** Whether this version knows the event. The checksum says that campaign wrote the record, so only the type is checked. */
export function isStateEvent(value: unknown): value is StateEvent {
  return isJsonObject(value) && typeof value['type'] === 'string' && EVENT_TYPES.has(value['type']);
}
