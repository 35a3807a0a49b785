import type { RunState } from '../../model/run-state.ts';
import type { ReadOptions } from './known-log.ts';
import { peekLog } from './peek-log.ts';
import { statePaths } from './work-folder.ts';

/** The states of this campaign at this service under other names, and the committed one, as far as they can be read. */
export async function readFormerStates({
  stateFile,
  identity,
  witnesses,
}: ReadOptions): Promise<readonly RunState[]> {
  const paths = statePaths(stateFile);
  const committed = await witnesses.committedState(paths, identity);
  const states: RunState[] = committed ? [committed] : [];
  const { found } = await witnesses.neighbours(paths, identity);
  for (const { file, isGone } of found) {
    if (isGone) continue;
    const state = await peekLog(file);
    if (state) states.push(state);
  }
  return states;
}
