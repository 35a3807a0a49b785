import type { Confirmation, Consent } from '../app/change-state.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { choose, unanswered } from './choose.ts';
import type { ChangeOptions } from './options.ts';
import type { Session } from './session.ts';
import { ownTerminal } from './terminal.ts';

export function consentOf(session: Session<ChangeOptions>): Consent {
  const { options, output } = session;
  let isAsked = false;
  return {
    isGiven({ shown }) {
      if (options.yes && shown) output.progress(shown);
      return options.yes === true;
    },
    ask(confirmation) {
      if (isAsked) output.progress('\nThe state has changed meanwhile:\n\n');
      isAsked = true;
      if (confirmation.shown) output.progress(confirmation.shown);
      return confirm(confirmation, session);
    },
  };
}

async function confirm(
  { what, question }: Confirmation,
  { options, runtime }: Session<ChangeOptions>,
): Promise<Refusal | undefined> {
  const terminal = options.json ? undefined : ownTerminal(runtime.clock);
  if (!terminal) {
    const detail = `${what} Nothing was changed: there is no terminal to ask on, so say --yes if you mean it.`;
    return refusal(EXIT.needsConsent, { code: 'not-confirmed', summary: 'This needs a yes', detail });
  }
  terminal.output.write(`${what}\n`);
  const chosen = await choose({ prompt: question, choices: YES_OR_NO }, terminal);
  if (chosen.type !== 'chosen') return unanswered(chosen, { nothing: 'nothing was changed', terminal });
  if (chosen.value === 'yes') return undefined;
  terminal.output.write('Nothing was changed.\n');
  return { exit: EXIT.needsConsent, problems: [] };
}

const YES_OR_NO = [
  { keys: ['y', 'yes'], does: 'do it', explained: 'What is said above is done.', value: 'yes' },
  {
    keys: ['n', 'no', 'q', 'quit'],
    does: 'change nothing',
    explained: 'Nothing is changed, and the command ends with 5; q does the same.',
    value: 'no',
  },
] as const;
