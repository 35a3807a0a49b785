import { createRuntime } from '../app/create-runtime.ts';
import { offersFor } from '../cli/offers.ts';
import { followWords } from '../cli/typed-command.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { inertText } from '../util/inert-text.ts';
import { typedLine } from '../util/shell-words.ts';
import { createProgram } from './program.ts';

/** Names come from files that anybody may have written, and a shell might act on other characters. */
const INERT = /^[\w@%+=:,./-]+$/;

/**
 * Answers a shell that wants to complete a line: `__complete LINE [BREAKS]`, the line up to the cursor and, from bash,
 * where it cuts words. The first line of the answer says which files the shell adds, each further one has a word and what
 * is known of it, parted by a tab. Somebody is typing: whatever goes wrong, the answer is shorter and nothing is said.
 */
export async function complete([line = '', breaks]: readonly string[]): Promise<ExitCode> {
  const { words, current, lead } = typedLine(line, breaks);
  try {
    const runtime = createRuntime({ emit: () => undefined });
    const program = createProgram(() => undefined);
    const typed = followWords(program, afterName(words), current);
    const offers = await offersFor(typed, current, runtime);
    const lines = [...offers.words]
      .filter(([word]) => INERT.test(word))
      .map(([word, about]) => `${word.slice(lead)}\t${inertText(about)}\n`);
    process.stdout.write(`${offers.files}\n${lines.join('')}`);
  } catch {
    // No names are offered.
  }
  return EXIT.ok;
}

/** What follows the command's name; it may have another one here, and words such as `A=1` or `and` before it. */
function afterName(words: readonly string[]): readonly string[] {
  const named = words.findIndex((word) => /(?:^|\/)campaign$/.test(word));
  const first = named < 0 ? words.findIndex((word) => !/^\w+=/.test(word)) : named;
  return words.slice(first + 1);
}
