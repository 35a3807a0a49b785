import { spawn } from 'node:child_process';
import { CLI, type CliOptions } from './run-cli.ts';

/** What somebody at a terminal saw, and how the command ended. */
export interface TerminalEnd {
  readonly code: number | null;
  readonly screen: string;
}

/** A question, and what is typed once it is there. */
export interface Answer {
  readonly question: string;
  /** Or what happens elsewhere while the question stands, and then is typed. */
  readonly keys: string | (() => Promise<string>);
}

export interface TerminalOptions extends CliOptions {
  /** What the shell does once the command has ended, or was stopped by Ctrl-Z. */
  readonly afterwards?: string;
}

/** Runs the built command on a terminal of its own, and answers one question after the other. */
export function runOnTerminal(
  args: readonly string[],
  { cwd, env = {}, afterwards }: TerminalOptions,
  ...answers: readonly Answer[]
): Promise<TerminalEnd> {
  const own = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
  const command = afterwards === undefined ? own : `set -m; ${own}; ${afterwards}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  let read = 0;
  const left = [...answers];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const [next] = left;
    const at = next ? screen.indexOf(next.question, read) : -1;
    if (!next || at < 0) return;
    read = at + next.question.length;
    left.shift();
    if (typeof next.keys === 'string') child.stdin.write(next.keys);
    else void next.keys().then((keys) => child.stdin.write(keys));
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, screen: inert(screen) }));
  });
}

/** The text without what moves the cursor. */
function inert(screen: string): string {
  const escape = String.fromCharCode(27);
  return screen.replaceAll('\r\n', '\n').replace(new RegExp(`${escape}(?:\\[[0-9?]*[A-Za-z]|[78])`, 'g'), '');
}
