import { rebindState } from '../app/bind-state.ts';
import { changeOne } from '../cli/change-one.ts';
import type { ChangeOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';

export function stateRebind(session: Session<ChangeOptions>): CommandEnd {
  return changeOne(session, session.args[0], {
    change: rebindState,
    show({ type, known, place }, { state, tick }) {
      const isRebound = type === 'rebound';
      const words = {
        'no-state': `Nothing to rebind: there is no state at ${state}.`,
        'as-before': `Nothing to rebind: ${state} is the state of ${place}.`,
        rebound: `${tick} ${state} is now the state of ${place}.`,
      };
      return {
        json: { state, rebound: isRebound, ...(isRebound ? { known } : {}) },
        text: `${words[type]}\n`,
      };
    },
  });
}
