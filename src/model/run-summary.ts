import type { RunOutcome } from './exit.ts';
import type { NodeCounts } from './run-event.ts';

/** One run as the log remembers it; without an end it was killed, or is under way. Times are ISO 8601. */
export interface RunSummary {
  readonly run: string;
  readonly command: string;
  /** Of campaign. */
  readonly version: string;
  readonly manifest: string;
  readonly startedAt: string;
  /** `user@host`; absent in logs of version 0.1. */
  readonly by?: string;
  /** The CI system that it ran in. */
  readonly ci?: string;
  readonly end?: {
    readonly at: string;
    readonly outcome: RunOutcome;
    readonly exitCode: number;
    readonly nodes: NodeCounts;
  };
  /** Number and checksum of the last record that it wrote: by that, copies of a log are told apart. */
  readonly last: { readonly seq: number; readonly crc: number };
}
