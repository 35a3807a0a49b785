import { EXIT, outcomeOf } from '../model/exit.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Recorder } from '../model/step.ts';
import type { RunEnd } from '../commands/apply.ts';
import { NO_NODES } from './run-end.ts';

/** How a run ended, for the log. */
export function runFinished({ exit, counts }: Pick<RunEnd, 'exit' | 'counts'>, at: string): StateEvent {
  return { type: 'run-finished', at, outcome: outcomeOf(exit), exit_code: exit, nodes: counts };
}

/** Records what a command does to the state by itself, sending nothing: in one commit, as a run of its own. */
export async function recordRun(
  recorder: Recorder,
  events: readonly StateEvent[],
  at: string,
): Promise<void> {
  await recorder.append([...events, runFinished({ exit: EXIT.ok, counts: NO_NODES }, at)]);
}
