import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { endGroup, startWithUs } from './process-group.ts';

export type GitEnd =
  | { readonly type: 'ended'; readonly code: number; readonly stderr: string }
  /** It could not be started, did not end in time, or printed too much. */
  | { readonly type: 'failed'; readonly why: string };

export interface GitCall {
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly longestMs: number;
  /** Git that prints more bytes than this is ended. */
  readonly most: number;
  /** The repository that answers; git looks for none above it. */
  readonly root?: string | undefined;
  /** Gets standard output. */
  readonly take: (bytes: Buffer) => void;
}

/** Nothing that may hold a key. */
const HANDED_ON = [
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CEILING_DIRECTORIES',
];

/** git asks nobody, takes no lock, starts no program of the repository, and fetches no missing objects. */
const CAREFUL = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_DISCOVERY_ACROSS_FILESYSTEM: '1',
  LC_ALL: 'C',
};

export const NOT_INSTALLED = 'git is not installed';
export const NOT_IN_TIME = 'git did not answer in time';

/** How long a pipe is read on, once git has ended and a program that it has left behind still holds that pipe. */
const DRAIN_MS = 500;

/** Never rejects. Whatever stands for git, it is over after the longest time, and nothing that it started goes on. */
export async function runGit(call: GitCall): Promise<GitEnd> {
  // Node loads 40 files of its own for it, which commands that ask git nothing need not wait for.
  const { spawn } = await import('node:child_process');
  const { child, letGo } = startWithUs(() =>
    spawn('git', argumentsOf(call), {
      env: variablesOf(call),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    }),
  );
  return answerOf(child, call).finally(letGo);
}

function answerOf(child: ChildProcess, { longestMs, most, take }: GitCall): Promise<GitEnd> {
  return new Promise((resolve) => {
    // Where the system has no more handles to give, they are not there.
    const { stdout, stderr }: Partial<ChildProcess> = child;
    let said = '';
    let printed = 0;
    let code: number | undefined;
    let isOver = false;
    const timers: NodeJS.Timeout[] = [];
    const end = (result: GitEnd) => {
      if (isOver) return;
      isOver = true;
      for (const timer of timers) clearTimeout(timer);
      // A program that has left the group may hold the pipes for ever, and one that cannot be ended holds its process.
      stdout?.destroy();
      stderr?.destroy();
      child.unref();
      resolve(result);
    };
    const fail = (why: string) => {
      if (isOver) return;
      endGroup(child);
      end({ type: 'failed', why });
    };
    const succeed = () => {
      if (code !== undefined) end({ type: 'ended', code, stderr: said });
    };
    // This process may have been busy meanwhile: what has come by then is seen first.
    const late = () => setImmediate(() => code ?? fail(NOT_IN_TIME));
    timers.push(setTimeout(late, longestMs));
    stdout?.on('data', (bytes: Buffer) => {
      printed += bytes.length;
      if (printed > most) fail('git printed without end');
      else take(bytes);
    });
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, 10_000);
    });
    child.on('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ENOENT' ? NOT_INSTALLED : error.message),
    );
    child.on('exit', (ending, signal) => {
      if (isOver) return;
      if (ending === null) return fail(`git was ended by ${signal}`);
      // What it has left running may hold the pipes.
      endGroup(child);
      code = ending;
      timers.push(setTimeout(succeed, DRAIN_MS));
    });
    child.on('close', succeed);
  });
}

function argumentsOf({ folder, args }: GitCall): string[] {
  return ['--no-pager', '-C', folder, '-c', 'core.fsmonitor=false', ...args];
}

function variablesOf({ env, root }: GitCall): NodeJS.ProcessEnv {
  const given = HANDED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  const isBounded = root !== undefined && path.dirname(root) !== root;
  const above = isBounded ? { GIT_CEILING_DIRECTORIES: path.dirname(root) } : {};
  return { ...(Object.fromEntries(given) as NodeJS.ProcessEnv), ...CAREFUL, ...above };
}
