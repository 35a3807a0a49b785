import { useState } from '../app/use-state.ts';
import { changeOne } from '../cli/change-one.ts';
import type { ChangeOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { lastWord } from '../cli/target.ts';
import { isDatabaseUrl } from '../util/database-url.ts';

export function stateUse(session: Session<ChangeOptions>): CommandEnd {
  const { file: manifest, word: place } = lastWord(session.args);
  const named = isDatabaseUrl(place)
    ? { ...session, options: { ...session.options, state: place } }
    : session;
  return changeOne(named, manifest, {
    change: (runtime, campaign, options) => useState(runtime, campaign, { place, ...options }),
    show: ({ from, known, whose, isChanged }, { state, tick }) => ({
      json: { state, from, known, changed: isChanged },
      text: isChanged
        ? `${tick} ${state} is now the state of ${whose}.\n`
        : `Nothing to change: ${state} is the state of ${whose}.\n`,
    }),
  });
}
