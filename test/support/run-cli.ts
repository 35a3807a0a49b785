import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The built command. */
export const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');

/** How a process of the real command ended. */
export interface CliEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliRun {
  readonly process: ChildProcess;
  readonly end: Promise<CliEnd>;
  /** Resolves once a line of standard output or error matches. */
  seen(pattern: RegExp): Promise<string>;
}

export interface CliOptions {
  readonly cwd: string;
  /** The whole environment besides PATH: nothing leaks in from the machine. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly input?: string;
}

/** Starts the built command as a process of its own. */
export function startCli(args: readonly string[], { cwd, env = {}, input }: CliOptions): CliRun {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // Without a word, where it ends before it has read all.
  child.stdin.on('error', () => undefined).end(input);
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  const notify = () => {
    for (const watcher of watchers) watcher();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    notify();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    notify();
  });
  const end = new Promise<CliEnd>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    process: child,
    end,
    seen: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const line = `${stdout}\n${stderr}`.split('\n').find((text) => pattern.test(text));
          if (line === undefined) return;
          watchers.delete(look);
          resolve(line);
        };
        watchers.add(look);
        look();
        void end.then(() => reject(new Error(`ended without ${String(pattern)}:\n${stdout}\n${stderr}`)));
      }),
  };
}

/** Runs the built command to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliEnd> {
  return startCli(args, options).end;
}
