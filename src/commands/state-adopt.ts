import { adoptState } from '../app/bind-state.ts';
import { changeOne } from '../cli/change-one.ts';
import type { ChangeOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { lastWord } from '../cli/target.ts';

export function stateAdopt(session: Session<ChangeOptions>): CommandEnd {
  const { file: manifest, word: file } = lastWord(session.args);
  return changeOne(session, manifest, {
    change: (runtime, campaign, options) => adoptState(runtime, campaign, { file, ...options }),
    show: ({ from, known, place }, { state, tick }) => ({
      json: { state, adopted: from, known },
      text: `${tick} ${from} is now ${state}, the state of ${place}.\n`,
    }),
  });
}
