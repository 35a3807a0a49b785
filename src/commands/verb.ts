import type { Option } from 'commander';
import type { ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import type { Session } from '../cli/session.ts';

/** One command: its name, its flags, and its code, which is loaded only when it runs. */
export interface Verb<Options = unknown> {
  /** As help shows it: `plan [manifest...]`. */
  readonly usage: string;
  readonly does: string;
  readonly flags: readonly Option[];
  readonly examples: readonly string[];
  readonly run: (session: Session<Options>) => Promise<ExitCode | Refusal>;
}

/** Declares the type of the options that the flags of a verb give, which commander does not know. */
export function verb<Options>(definition: Verb<Options>): Verb {
  return { ...definition, run: (session) => definition.run(session as Session<Options>) };
}
