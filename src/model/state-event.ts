/**
 * What the log holds: one event in each record. The state in memory is a fold over them (log/fold.ts). The types are
 * those of schemas/state-record.schema.json. Times are ISO 8601 in UTC. Addresses of media and downloads always have
 * the take (`media/hero/1@2`).
 *
 * A create (product, concept, media-config) records `intent` before its request is sent and exactly one of `created`,
 * `rejected`, `not-sent`, `throttled`, `unknown` after it; an intent without an end is an unknown create.
 */
import type { RunStarted } from './generated/state-record.js';

export type {
  DownloadEvent,
  Evidence,
  Kept,
  KeptObject,
  MediaEvent,
  ObjectEvent,
  RequestEvent,
  StateEvent,
} from './generated/state-record.js';

/** Who ran a command: `user@host`, and the CI system that it ran in. Logs of version 0.1 name no operator. */
export type Operator = Required<Pick<RunStarted, 'by'>> & Pick<RunStarted, 'ci'>;
