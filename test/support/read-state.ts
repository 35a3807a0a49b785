import type { RunState } from '../../src/model/run-state.ts';
import type { StateIdentity } from '../../src/store/store.ts';
import { openToRead } from '../../src/store/file/open-to-read.ts';
import { NO_WITNESSES } from './no-witnesses.ts';

/** What `state list` would read, without its process: many tests look into a state after each of many runs. */
export async function readRunState(stateFile: string, identity: StateIdentity): Promise<RunState> {
  const opened = await openToRead({ stateFile, identity, witnesses: NO_WITNESSES });
  if (!opened.ok) throw new Error(`${opened.error.summary}: ${opened.error.detail}`);
  return opened.value.state;
}
