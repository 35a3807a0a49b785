import type { Output } from '../../src/cli/output.ts';
import { diagnosticText } from '../../src/render/diagnostic-text.ts';
import { PLAIN } from './plain-style.ts';

/** Where a command writes in a test: plain text, results and progress together, in order. */
export function createTestOutput(): { readonly output: Output; readonly text: () => string } {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const output: Output = {
    mode: 'text',
    isQuiet: false,
    style: PLAIN,
    errorStyle: PLAIN,
    columns: undefined,
    errorColumns: undefined,
    planDetail: { lines: 100 },
    everyLine: () => undefined,
    result: write,
    data: write,
    progress: write,
    event() {},
    json() {},
    answer: (_, answer) => write(answer),
    problems: (problems) => {
      for (const problem of problems) write(`${diagnosticText(problem, PLAIN)}\n`);
    },
    hear() {},
    heardBy: () => output,
    subject: '',
    heads: 'quiet',
    about: () => output,
  };
  return { text: () => text, output };
}
