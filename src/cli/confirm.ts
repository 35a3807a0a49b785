import { EXIT, type ExitCode } from '../model/exit.ts';
import { choose, unanswered } from './choose.ts';
import { type Refusal, refusal } from '../model/problem.ts';
import { type Output, refuse } from './output.ts';
import { ownTerminal } from './terminal.ts';

/** What would happen, and the question whether it shall. */
export interface Confirmation {
  readonly what: string;
  readonly question: string;
  /** What it follows from, which is shown also where `--yes` is the answer. */
  readonly shown?: string;
}

/** Whether somebody has agreed to this, said of a state of this version. */
export type Agreed = (confirmation: Confirmation, version: string) => boolean;

/**
 * Does what may need a yes. Nobody is waited for under the lock: `work` takes it, looks, and where `agreed` says no it
 * changes nothing and ends with 5. Then the question is asked, and after a yes `work` looks again, from its beginning:
 * what it would do by then is agreed to only if it is the same.
 */
export async function withConsent(
  options: Asked,
  output: Output,
  work: (agreed: Agreed) => Promise<ExitCode>,
): Promise<ExitCode> {
  let answered: string | undefined;
  for (;;) {
    let unasked = undefined as Confirmation | undefined;
    let subject: string | undefined;
    const exit = await work((confirmation, version) => {
      subject = `${version}\n${confirmation.what}`;
      const isAgreed = options.yes === true || subject === answered;
      unasked = isAgreed ? undefined : confirmation;
      if (options.yes && confirmation.shown) output.progress(confirmation.shown);
      return isAgreed;
    });
    if (!unasked || exit !== EXIT.refused) return exit;
    if (answered !== undefined) output.progress('\nThe state has changed meanwhile:\n\n');
    if (unasked.shown) output.progress(unasked.shown);
    const declined = await confirm(unasked, options);
    if (declined) return refuse(declined, output);
    answered = subject;
  }
}

interface Asked {
  readonly yes?: true;
  readonly json?: true;
}

/** Asks on the terminal whether to go on; undefined means yes. Without a terminal only `--yes` is one. */
export async function confirm(
  { what, question }: Confirmation,
  { yes, json }: Asked,
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
  return { exit: EXIT.refused, problems: [] };
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
