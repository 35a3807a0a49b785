import type { Stop } from '../app/planned-run.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { dieOf } from './die-of.ts';

const CODES = { SIGHUP: EXIT.sighup, SIGINT: EXIT.sigint, SIGTERM: EXIT.sigterm } as const;

type SignalName = keyof typeof CODES;

/** How long after a second signal the process is left to end by itself, in milliseconds. */
const LAST_MS = 800;

/** Listens until released: the first signal drains, the second one ends at once. `exit` is the code of the first. */
export function stopOnSignals(): Stop {
  const listeners = new Set<() => void>();
  let level: Stop['level'] = 'run';
  let exit: ExitCode | undefined;
  const onSignal = (name: SignalName) => {
    exit ??= CODES[name];
    level = level === 'run' ? 'drain' : 'now';
    for (const listener of listeners) listener();
    // Whatever still holds the process (a socket, a disk that does not answer), it ends within a second.
    if (level === 'now') setTimeout(() => dieOf(exit ?? CODES[name]), LAST_MS).unref();
  };
  const names = Object.keys(CODES) as SignalName[];
  for (const name of names) process.on(name, onSignal);
  return {
    get level() {
      return level;
    },
    get exit() {
      return exit;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    release() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
