import { newState } from '../app/new-state.ts';
import { changeOne } from '../cli/change-one.ts';
import type { ChangeOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';

export function stateNew(session: Session<ChangeOptions>): CommandEnd {
  return changeOne(session, session.args[0], {
    change: newState,
    show: (lineage, { state, tick }) => ({
      json: { state, lineage: lineage ?? null },
      text:
        lineage === undefined
          ? `There never was a state at ${state}: the first apply begins it.\n`
          : `${tick} ${state} starts anew.\n`,
    }),
  });
}
