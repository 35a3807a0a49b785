import type { Address } from './address.ts';
import type { RunOutcome } from './exit.ts';
import type { NodeCounts } from './run-event.ts';

/** What a person decided: about an unknown create or an open post (`resolve`), or with a command of `state`. */
export interface Decision {
  readonly decision: 'created' | 'not-created' | 'skipped' | 'accepted' | 'forgotten' | 'rebound';
  /** Absent where it is about the whole state. */
  readonly address?: Address;
}

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
  /** What was decided in it: how many things, and the first of them. */
  readonly decided?: { readonly count: number; readonly first: readonly Decision[] };
  /** Number and checksum of the last record that it wrote: by that, copies of a log are told apart. */
  readonly last: { readonly seq: number; readonly crc: number };
  /** The same before more of it was taken in, which it could not write itself. */
  readonly earlier?: readonly { readonly seq: number; readonly crc: number }[];
}
