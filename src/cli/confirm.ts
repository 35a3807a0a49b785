import { EXIT } from '../model/exit.ts';
import { choose, unanswered } from './choose.ts';
import { type Refusal, refusal } from './output.ts';
import { ownTerminal } from './terminal.ts';

/** What would happen, and the question whether it shall. */
export interface Confirmation {
  readonly what: string;
  readonly question: string;
}

/** Asks on the terminal whether to go on; undefined means yes. Without a terminal only `--yes` is one. */
export async function confirm(
  { what, question }: Confirmation,
  { yes, json }: { readonly yes?: true; readonly json?: true },
): Promise<Refusal | undefined> {
  if (yes) return undefined;
  const terminal = json ? undefined : ownTerminal();
  if (!terminal) {
    const detail = `${what} Nothing was changed: there is no terminal to ask on, so say --yes if you mean it.`;
    return refusal(EXIT.refused, { code: 'not-confirmed', summary: 'This needs a yes', detail });
  }
  terminal.output.write(`${what}\n`);
  const chosen = await choose({ prompt: question, choices: YES_OR_NO }, terminal);
  if (chosen.type !== 'chosen') return unanswered(chosen, { nothing: 'nothing was changed', terminal });
  if (chosen.value === 'yes') return undefined;
  terminal.output.write('Nothing was changed.\n');
  return { exit: EXIT.refused, diagnostics: [] };
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
