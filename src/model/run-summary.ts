export type { Decision } from './generated/state-record.js';

/** One run in the log; a run without an end was killed, or is under way. Times are ISO 8601. */
export type { KeptRun as RunSummary } from './generated/state-record.js';
