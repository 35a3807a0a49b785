import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { CLI, type CliOptions } from './run-cli.ts';
import { runHere } from './run-here.ts';

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

const TERMINAL = { TERM: 'xterm', NO_COLOR: '1' };

/**
 * Runs a command on a terminal, and answers one question after the other: in this process, or in one of its own where
 * something else happens meanwhile, or the shell goes on.
 */
export function runOnTerminal(
  args: readonly string[],
  options: TerminalOptions,
  ...answers: readonly Answer[]
): Promise<TerminalEnd> {
  const isHere = options.afterwards === undefined && answers.every(({ keys }) => typeof keys === 'string');
  return (isHere ? runHereOnTerminal : runOnOwnTerminal)(args, options, ...answers);
}

async function runHereOnTerminal(
  args: readonly string[],
  { cwd, env = {} }: CliOptions,
  ...answers: readonly Answer[]
): Promise<TerminalEnd> {
  const keyboard = new PassThrough();
  const screen = answeredScreen(answers, (keys) => keyboard.write(keys));
  const { code } = await runHere(args, {
    cwd,
    env: { ...TERMINAL, ...env },
    keyboard,
    heard: (_, text) => screen.show(text),
  });
  return { code, screen: inert(screen.text()) };
}

/** Runs the built command on a terminal that the system made. */
export function runOnOwnTerminal(
  args: readonly string[],
  { cwd, env = {}, afterwards }: TerminalOptions,
  ...answers: readonly Answer[]
): Promise<TerminalEnd> {
  const own = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
  const command = afterwards === undefined ? own : `set -m; ${own}; ${afterwards}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...TERMINAL, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const screen = answeredScreen(answers, (keys) => child.stdin.write(keys));
  child.stdout.setEncoding('utf8').on('data', (text: string) => screen.show(text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, screen: inert(screen.text()) }));
  });
}

/** Types what belongs to a question once it is shown. */
function answeredScreen(answers: readonly Answer[], type: (keys: string) => void) {
  let text = '';
  let read = 0;
  const left = [...answers];
  return {
    text: () => text,
    show(more: string): void {
      text += more;
      const [next] = left;
      const at = next ? text.indexOf(next.question, read) : -1;
      if (!next || at < 0) return;
      read = at + next.question.length;
      left.shift();
      if (typeof next.keys === 'string') type(next.keys);
      else void next.keys().then(type);
    },
  };
}

/** The text without what moves the cursor. */
function inert(screen: string): string {
  const escape = String.fromCharCode(27);
  return screen.replaceAll('\r\n', '\n').replace(new RegExp(`${escape}(?:\\[[0-9?]*[A-Za-z]|[78])`, 'g'), '');
}
