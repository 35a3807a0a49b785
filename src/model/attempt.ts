/** One attempt of a node, as a run notes it beside the state (`.campaign/…attempts-….jsonl`). */
import type { Came } from './facts.ts';

export interface Attempt {
  readonly address: string;
  /** Epoch milliseconds. */
  readonly begin: number;
  readonly end: number;
  readonly came: Came | 'nothing';
}
