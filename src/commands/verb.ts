import type { Option } from 'commander';
import type { CommandEnd, Session } from '../cli/session.ts';

export interface Verb {
  /** As help shows it: `plan [manifest...]`. */
  readonly usage: string;
  readonly does: string;
  /** What its first argument may be. */
  readonly choices?: readonly string[];
  /** `no`: it has none of the shared flags. */
  readonly readsManifest?: 'no';
  readonly flags?: readonly Option[];
  /** Flags that it takes, and that are not in its help: those of the command whose arguments it is given. */
  readonly taken?: readonly Option[];
  readonly examples: readonly string[];
  /** Its code, which is loaded only when it runs. What the options are, it knows itself: commander does not. */
  readonly load: () => Promise<(session: Session<never>) => CommandEnd>;
}
