/** Every question is asked in the same way; Enter takes the default, which never costs anything. */
import { EXIT } from '../model/exit.ts';
import { inertText } from '../util/inert-text.ts';
import type { Refusal } from '../model/problem.ts';
import { ANSWER_MINUTES, askLine, type LineReply, type Terminal } from './terminal.ts';

export interface Choice<T> {
  /** What may be typed for it; the first one is the letter that is shown. */
  readonly keys: readonly [string, ...string[]];
  readonly does: string;
  readonly explained: string;
  readonly value: T;
}

export interface Question<T> {
  readonly prompt: string;
  /** The last one is the default. */
  readonly choices: readonly Choice<T>[];
}

export type Chosen<T> = { readonly type: 'chosen'; readonly value: T } | Exclude<LineReply, { type: 'line' }>;

export async function choose<T>({ prompt, choices }: Question<T>, terminal: Terminal): Promise<Chosen<T>> {
  const standard = choices.at(-1);
  const letters = choices.map((choice) =>
    choice === standard ? choice.keys[0].toUpperCase() : choice.keys[0],
  );
  const { output } = terminal;
  output.write(choices.map((choice) => listed(choice, choice === standard)).join(''));
  for (;;) {
    const reply = await askLine(`${prompt} [${[...letters, '?'].join('/')}] `, terminal);
    if (reply.type !== 'line') return reply;
    const typed = reply.text.toLowerCase();
    const chosen = typed === '' ? standard : choices.find(({ keys }) => keys.includes(typed));
    if (chosen) return { type: 'chosen', value: chosen.value };
    if (typed === '?' || typed === 'help') output.write(explanation(choices));
    else output.write(`"${inertText(reply.text, 40)}" is none of the answers; ? explains them.\n`);
  }
}

function listed<T>({ keys, does }: Choice<T>, isStandard: boolean): string {
  return `  ${keys[0]}  ${does}${isStandard ? ' (default)' : ''}\n`;
}

function explanation<T>(choices: readonly Choice<T>[]): string {
  const lines = choices.map(({ keys, explained }) => `  ${keys[0]}  ${explained}\n`);
  return `${lines.join('')}  Without an answer (Ctrl-D, or ${ANSWER_MINUTES} minutes) the command ends with 5.\n`;
}

/** The end of a command whose question was not answered; `nothing` says what therefore did not happen. */
export function unanswered(
  { type }: Exclude<LineReply, { type: 'line' }>,
  { nothing, terminal: { output } }: { readonly nothing: string; readonly terminal: Terminal },
): Refusal {
  const why = {
    interrupted: 'Stopped',
    ended: 'The input has ended',
    'timed-out': `No answer for ${ANSWER_MINUTES} minutes`,
  };
  output.write(`${why[type]}: ${nothing}.\n`);
  return { exit: type === 'interrupted' ? EXIT.sigint : EXIT.needsConsent, problems: [] };
}
