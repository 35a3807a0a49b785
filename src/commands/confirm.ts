import { createInterface } from 'node:readline/promises';
import { EXIT } from '../model/exit.ts';
import { canAsk } from './ask-replacements.ts';
import { type Refusal, refusal } from './output.ts';

/** What would happen, and the question whether it shall. */
export interface Question {
  readonly what: string;
  readonly question: string;
}

/** Asks on the terminal whether to go on; undefined means yes. Without a terminal only `--yes` is one. */
export async function confirm(
  { what, question }: Question,
  { yes, json }: { readonly yes?: true; readonly json?: true },
): Promise<Refusal | undefined> {
  if (yes) return undefined;
  if (json || !canAsk()) {
    const detail = `${what} Nothing was changed: there is no terminal to ask on, so say --yes if you mean it.`;
    return refusal(EXIT.refused, { code: 'not-confirmed', summary: 'This needs a yes', detail });
  }
  process.stderr.write(`${what}\n`);
  const answer = await ask(`${question} [y/N] `);
  if (answer === undefined) return { exit: EXIT.sigint, diagnostics: [] };
  if (/^y(es)?$/i.test(answer)) return undefined;
  process.stderr.write('Nothing was changed.\n');
  return { exit: EXIT.refused, diagnostics: [] };
}

/** One line from the terminal, trimmed; undefined where Ctrl-C or the end of input came instead. */
export async function ask(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const interrupt = new AbortController();
  const give = () => interrupt.abort();
  terminal.on('SIGINT', give).on('close', give);
  try {
    return (await terminal.question(question, interrupt)).trim();
  } catch {
    process.stderr.write('\n');
    return undefined;
  } finally {
    terminal.close();
  }
}
