import type { Writable } from 'node:stream';
import type { Stop } from '../app/run-nodes.ts';
import { EXIT, type ExitCode, signalOf } from '../model/exit.ts';
import { endAll, listenersFor } from '../util/process-group.ts';

const CODES = { SIGHUP: EXIT.sighup, SIGINT: EXIT.sigint, SIGTERM: EXIT.sigterm } as const;

type SignalName = keyof typeof CODES;

/** To end by itself after a second signal. */
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
    // If something still keeps the process alive (a socket, a disk that does not answer), it is ended all the same.
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

/**
 * Calls `before` when Ctrl-Z is about to stop the process, and `after` when it goes on, until the returned function is
 * called. The signal is sent once more to nobody who listens: where no shell could wake the process, it is not stopped.
 */
export function whenStopped({ before, after }: { before: () => void; after: () => void }): () => void {
  let isToldSoon = false;
  const stop = () => {
    before();
    process.off('SIGTSTP', stop);
    process.kill(process.pid, 'SIGTSTP');
    process.on('SIGTSTP', stop);
    after();
    isToldSoon = true;
  };
  /** Comes after a stop by Ctrl-Z, too, which is over then. */
  const goOn = () => {
    if (!isToldSoon) after();
    isToldSoon = false;
  };
  process.on('SIGTSTP', stop);
  process.on('SIGCONT', goOn);
  return () => {
    process.off('SIGTSTP', stop);
    process.off('SIGCONT', goOn);
  };
}

/** Calls back with the code of a signal for which nothing else in the process listens; `times` counts all of them. */
export function listenAlone(onSignal: (code: ExitCode) => void): { readonly times: number; release(): void } {
  let times = 0;
  const listeners = (Object.keys(CODES) as SignalName[]).map((name) => {
    const listener = () => {
      times += 1;
      if (listenersFor(name) === 1) onSignal(CODES[name]);
    };
    process.on(name, listener);
    return () => process.off(name, listener);
  });
  return {
    get times() {
      return times;
    },
    release() {
      for (const release of listeners) release();
    },
  };
}

/** Ends the process by the signal that an exit code stands for, if any, so that a shell that called it ends its loop. */
export async function endBySignal(code: ExitCode): Promise<void> {
  if (signalOf(code) === undefined) return;
  await Promise.all([process.stdout, process.stderr].map(drained));
  dieOf(code);
}

export function dieOf(code: ExitCode): void {
  const signal = signalOf(code);
  if (signal === undefined) return;
  process.removeAllListeners(signal);
  endAll();
  process.kill(process.pid, signal);
}

/** A closed reader takes nothing any more, so it is not waited for. */
function drained(stream: Writable): Promise<void> {
  if (stream.destroyed || stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => stream.write('', () => resolve()));
}
