import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { CLI, type CliOptions } from './run-cli.ts';
import { textOn } from './screen.ts';

/** Runs the built command on a terminal of its own, whose screen can be read and made narrower. */
export function startOnScreen(
  args: readonly string[],
  { cwd, env = {} }: Omit<CliOptions, 'input'>,
  { columns, rows = 30 }: { readonly columns: number; readonly rows?: number },
) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const child = spawn(process.execPath, [CLI, ...args], {
    cols: columns,
    rows,
    cwd,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', ...env },
  });
  const watchers = new Set<() => void>();
  let written = '';
  child.onData((data) => {
    written += data;
    terminal.write(data, () => {
      for (const watcher of watchers) watcher();
    });
  });
  const ended = new Promise<void>((resolve) => {
    child.onExit(() => terminal.write('', resolve));
  });

  const text = () => textOn(terminal);
  return {
    text,
    terminal,
    /** Everything that was sent to the terminal. */
    written: () => written,
    keys: (keys: string) => child.write(keys),
    resize(width: number): void {
      terminal.resize(width, rows);
      child.resize(width, rows);
    },
    /** Resolves once the screen, with what was scrolled away, matches. */
    until: (pattern: RegExp): Promise<string> =>
      new Promise((resolve) => {
        const look = () => {
          if (!pattern.test(text())) return;
          watchers.delete(look);
          resolve(text());
        };
        watchers.add(look);
        look();
      }),
    /** What is left on the screen. */
    end: async (): Promise<string> => {
      await ended;
      return text();
    },
  };
}
