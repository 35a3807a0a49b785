import type { Command, Option } from 'commander';
import type { ExitCode } from '../model/exit.ts';

/** How one command was called: what stands beside its flags, and what they say. */
export interface Call<Options> {
  readonly args: readonly string[];
  readonly options: Options;
  /** Ends the command with a word about wrong usage. */
  readonly misuse: Command['error'];
}

/** One command: its name, its flags, and its code, which is loaded only when it runs. */
export interface Verb<Options = unknown> {
  /** As help shows it: `plan [manifest...]`. */
  readonly usage: string;
  readonly does: string;
  readonly flags: readonly Option[];
  readonly examples: readonly string[];
  readonly run: (call: Call<Options>) => Promise<ExitCode>;
}

/** A verb, whose flags give the options that its code takes: commander does not know their type. */
export function verb<Options>(definition: Verb<Options>): Verb {
  return { ...definition, run: (call) => definition.run(call as Call<Options>) };
}
