export type { Decision } from './generated/state-record.js';

/** One run as the log remembers it; without an end it was killed, or is under way. Times are ISO 8601. */
export type { KeptRun as RunSummary } from './generated/state-record.js';
