import { createInterface } from 'node:readline';
import { ReadStream } from 'node:tty';
import { inAscii } from '../render/ascii.ts';
import type { Clock } from '../util/clock.ts';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly clock: Clock;
}

export function ownTerminal(clock: Clock): Terminal | undefined {
  const { stdin, stderr, env } = process;
  if (!stdin.isTTY || !stderr.isTTY || isCi(env)) return undefined;
  return { input: stdin, output: stderr, clock };
}

/** Whether this runs in CI, whatever it says about terminals; `CI=false`, `CI=0` and an empty value mean no. */
export function isCi(env: Environment): boolean {
  return !['', '0', 'false'].includes((env['CI'] ?? '').toLowerCase());
}

/** Whether a terminal shows more than ASCII: all do but the console of Linux, unless the locale says otherwise. */
export function showsUnicode(env: Environment): boolean {
  return env['TERM'] !== 'linux' && env['TERM'] !== 'dumb' && hasUnicode(env);
}

/** What is written to a stream, as its reader can show it. Files and pipes are read in the locale. */
export function legible({ isTTY }: { readonly isTTY?: boolean }, env: Environment): (text: string) => string {
  return (isTTY ? showsUnicode(env) : hasUnicode(env)) ? String : inAscii;
}

/** Without a locale, everything is taken to be UTF-8, as in cron. */
export function hasUnicode(env: Environment): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'C.UTF-8';
  return /utf-?8/i.test(locale);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The answer to a question: a line, or nothing. `ended`: end of input (Ctrl-D, or the terminal was closed). */
export type LineReply =
  | { readonly type: 'line'; readonly text: string }
  | { readonly type: 'interrupted' | 'ended' | 'timed-out' };

/** How long an answer is waited for, because nobody may be there any more. */
export const ANSWER_MINUTES = 10;

/**
 * Asks for one line and trims it. Without a line, the cursor is moved to the beginning of a new one. What was typed before
 * the question is shown is no answer to it: it was meant for something else, such as the question before.
 */
export async function askLine(question: string, terminal: Terminal): Promise<LineReply> {
  const { input } = terminal;
  if (!(input instanceof ReadStream)) {
    while (input.read() !== null);
    return readLine(question, terminal);
  }
  return (await discardTyped(input, terminal)) ?? readLine(question, terminal);
}

/** So long nothing may come before all that was typed counts as read; a paste comes in pieces. */
const QUIET_MS = 50;

const CTRL_C = 3;

/**
 * Reads all that the terminal still holds, also what was typed before this process was started. In raw mode an unfinished
 * line can be read, too. Somebody who wants to stop, or a terminal that is closed, is the reply to the question.
 */
function discardTyped(input: ReadStream, { output, clock }: Terminal): Promise<LineReply | undefined> {
  return new Promise((resolve) => {
    let pieces = 0;
    let cancelQuiet = (): void => undefined;
    const end = (reply?: LineReply) => {
      cancelQuiet();
      cancelLast();
      input.off('data', take).off('end', close).off('error', close).pause();
      if (reply) {
        input.setRawMode(false);
        output.write('\n');
      }
      resolve(reply);
    };
    const close = () => end({ type: 'ended' });
    const wait = () => {
      cancelQuiet();
      const before = pieces;
      // This process may have been busy: what has come by then is read before an immediate.
      cancelQuiet = clock.after(QUIET_MS, () => setImmediate(() => before === pieces && end()));
    };
    const take = (bytes: Buffer | string) => {
      pieces += 1;
      if (Buffer.from(bytes as string).includes(CTRL_C)) end({ type: 'interrupted' });
      else wait();
    };
    const cancelLast = clock.after(ANSWER_MINUTES * 60_000, () => end({ type: 'timed-out' }));
    input.setRawMode(true);
    input.on('data', take).on('end', close).on('error', close).resume();
    wait();
  });
}

function readLine(question: string, { input, output, clock }: Terminal): Promise<LineReply> {
  const reader = createInterface({ input, output });
  return new Promise((resolve) => {
    let isOver = false;
    const end = (reply: LineReply) => {
      if (isOver) return;
      isOver = true;
      cancel();
      reader.close();
      if (reply.type !== 'line') output.write('\n');
      resolve(reply);
    };
    const cancel = clock.after(ANSWER_MINUTES * 60_000, () => end({ type: 'timed-out' }));
    reader.on('line', (text) => end({ type: 'line', text: text.trim() }));
    reader.on('SIGINT', () => end({ type: 'interrupted' }));
    reader.on('close', () => end({ type: 'ended' }));
    // After Ctrl-Z and `fg`, Node reads nothing, not even Ctrl-C, until it is told to.
    reader.on('SIGCONT', () => reader.prompt(true));
    reader.setPrompt(question);
    reader.prompt();
  });
}
