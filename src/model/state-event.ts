/**
 * What the log holds. A create records `intent` before its request is sent and exactly one of `created`, `rejected`,
 * `not-sent`, `throttled`, `unknown` after it; an intent without an end is an unknown create.
 */
import type { RunStarted } from './generated/state-record.js';

export type {
  DownloadEvent,
  Evidence,
  Kept,
  KeptObject,
  LetGo,
  MediaEvent,
  ObjectEvent,
  RequestEvent,
  Spent,
  StateEvent,
} from './generated/state-record.js';

/** Who ran a command: `user@host`, and the CI system that it ran in. */
export type Operator = Pick<RunStarted, 'by' | 'ci'>;
