import type { Answers } from '../app/init-campaign.ts';
import type { Refusal } from '../model/problem.ts';
import { aspectRatioOf } from '../util/aspect-ratio.ts';
import { inertText } from '../util/inert-text.ts';
import { unanswered } from './choose.ts';
import { askLine, type Terminal } from './terminal.ts';

/** Each question has an answer already, which Enter takes. */
export async function askAnswers(standard: Answers, terminal: Terminal): Promise<Answers | Refusal> {
  const ask = async <T>(question: Question<T>) => askOne(question, terminal);
  const name = await ask({
    prompt: 'Name of the campaign',
    standard: standard.name,
    wrong: wrongName,
    read: String,
  });
  if (typeof name !== 'string') return name;
  const look = await ask({
    prompt: 'What the pictures have in common',
    standard: standard.look,
    wrong: () => undefined,
    read: String,
  });
  if (typeof look !== 'string') return look;
  const read = (text: string) => [...new Set(text.split(/[\s,]+/).filter(Boolean))];
  const ratios = await ask({
    prompt: 'Formats, one post each',
    standard: standard.ratios.join(', '),
    wrong: (text) => read(text).map(wrongRatio).find(Boolean),
    read,
  });
  return 'exit' in ratios ? ratios : { ...standard, name, look, ratios };
}

interface Question<T> {
  readonly prompt: string;
  readonly standard: string;
  /** Why an answer cannot be taken. */
  readonly wrong: (text: string) => string | undefined;
  readonly read: (text: string) => T;
}

async function askOne<T>(
  { prompt, standard, wrong, read }: Question<T>,
  terminal: Terminal,
): Promise<T | Refusal> {
  for (;;) {
    const reply = await askLine(`${prompt} [${standard}]: `, terminal);
    if (reply.type !== 'line') return unanswered(reply, { nothing: 'nothing was written', terminal });
    const text = reply.text || standard;
    const why = wrong(text);
    if (why === undefined) return read(text);
    terminal.output.write(`${why}\n`);
  }
}

export function wrongName(name: string): string | undefined {
  if (/^[a-z0-9][a-z0-9._-]{0,62}$/.test(name)) return undefined;
  return `"${inertText(name, 80)}" cannot be the name of a campaign. It has lower-case letters, digits, \`.\`, \`_\` and \`-\`, begins with a letter or a digit, and has at most 63 characters.`;
}

export function wrongRatio(ratio: string): string | undefined {
  if (aspectRatioOf(ratio) !== undefined) return undefined;
  return `"${inertText(ratio, 40)}" is no format. Write width:height, such as 4:5 or 1.91:1.`;
}
