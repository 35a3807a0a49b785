import { createInterface } from 'node:readline/promises';
import type { Plan } from '../model/plan.ts';

/** What to do with finished posts whose inputs changed. */
type Answer = 'apply' | 'keep' | 'leave' | 'stop';

/** Asks on the terminal; Ctrl-C stops, anything else but a clear answer leaves the posts as they are. */
export async function askReplacements(held: Plan['held']): Promise<Answer> {
  const posts = held.length === 1 ? '1 finished post' : `${held.length} finished posts`;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const interrupt = new AbortController();
  terminal.on('SIGINT', () => interrupt.abort());
  const question =
    `${posts} would be requested again, and paid again.\n` +
    '  a  apply: request them again\n' +
    '  k  keep the pictures and accept the edit: never ask about it again\n' +
    '  l  leave them as they are for now (default)\n' +
    'What shall it be? [a/k/L] ';
  try {
    const answer = (await terminal.question(question, interrupt)).trim().toLowerCase();
    if (answer === 'a' || answer === 'apply') return 'apply';
    return answer === 'k' || answer === 'keep' ? 'keep' : 'leave';
  } catch {
    // Nobody agreed to pay: Ctrl-C, or the terminal went away.
    return interrupt.signal.aborted ? 'stop' : 'leave';
  } finally {
    terminal.close();
  }
}

/** Whether somebody is there to be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}
