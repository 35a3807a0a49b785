/** Those who hear what a command tells, besides the person who called it: heartbeat, --notify, annotations. */
import type { AppEvent } from '../app/runtime.ts';
import type { Problem } from '../model/problem.ts';

/** What a command is about: named in every line of JSON, and at the head of what a quiet run prints. */
export interface Subject {
  readonly manifest?: string;
  readonly campaign?: string;
  readonly environment?: string;
}

/** What a command tells, in whatever form that is shown; problems of the state and the manifest come as `problems`. */
export type Told =
  | AppEvent
  | { readonly type: 'problems'; readonly problems: readonly Problem[] }
  /** The manifests of the command, before the first has its turn. */
  | { readonly type: 'turns'; readonly files: readonly string[] }
  /** A manifest that came on standard input. */
  | { readonly type: 'input'; readonly text: string }
  /** What `--var` and `--var-file` say. */
  | { readonly type: 'variables'; readonly given: ReadonlyMap<string, string> };

export type Listener = (told: Told, about: Subject) => void;
