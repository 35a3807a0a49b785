/**
 * Programs that are started in a process group of their own (`detached`), so that they can be ended with all that they
 * have started: a signal to the program alone leaves the children of a wrapper running, and these hold its pipes.
 */
import type { ChildProcess } from 'node:child_process';

/** Their group does not get what the terminal sends to ours, so that is done here. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** The groups that end with this process, by the id of the program that leads each. */
const groups = new Set<number>();
let started = 0;

/** Ends a program that leads its own group, with everything in that group. */
export function endGroup({ pid }: Pick<ChildProcess, 'pid'>): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/**
 * Starts a program that leads its own group, and ends it with this process, however that ends, except by SIGKILL. `letGo`
 * is for a program that has ended.
 */
export function startWithUs<Child extends Pick<ChildProcess, 'pid'>>(
  start: () => Child,
): { readonly child: Child; readonly letGo: () => void } {
  // Before the start: a signal that comes meanwhile is told once the program is known.
  if (started === 0) {
    for (const name of SIGNALS) process.on(name, onSignal);
    process.on('exit', endAll);
  }
  started += 1;
  const child = start();
  if (child.pid !== undefined) groups.add(child.pid);
  const letGo = () => {
    if (child.pid !== undefined) groups.delete(child.pid);
    started -= 1;
    if (started > 0) return;
    for (const name of SIGNALS) process.off(name, onSignal);
    process.off('exit', endAll);
  };
  return { child, letGo };
}

/** For whoever ends this process by a signal. */
export function endAll(): void {
  for (const pid of groups) endGroup({ pid });
}

/** How many listen for a signal, apart from this file. */
export function listenersFor(name: (typeof SIGNALS)[number]): number {
  return process.listeners(name).filter((each) => each !== onSignal).length;
}

function onSignal(name: NodeJS.Signals): void {
  endAll();
  if (process.listenerCount(name) > 1) return;
  // Nobody else listens: it ends this process, as if nobody listened at all.
  process.off(name, onSignal);
  process.kill(process.pid, name);
}
