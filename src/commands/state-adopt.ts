import { adoptFromDatabase, adoptState } from '../app/bind-state.ts';
import { changeOne } from '../cli/change-one.ts';
import type { ChangeOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { lastWord } from '../cli/target.ts';
import { isDatabaseUrl } from '../util/database-url.ts';

export function stateAdopt(session: Session<ChangeOptions>): CommandEnd {
  const { file: manifest, word: place } = lastWord(session.args);
  const isDatabase = isDatabaseUrl(place);
  const named = isDatabase ? { ...session, options: { ...session.options, state: place } } : session;
  return changeOne(named, manifest, {
    change: (runtime, campaign, options) =>
      isDatabase
        ? adoptFromDatabase(runtime, campaign, options)
        : adoptState(runtime, campaign, { file: place, ...options }),
    show: ({ from, known, place: whose }, { state, tick }) => ({
      json: { state, adopted: from, known },
      text: `${tick} ${from} is now ${isDatabase ? '' : `${state}, `}the state of ${whose}.\n`,
    }),
  });
}
