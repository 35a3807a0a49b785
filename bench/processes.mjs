/** What processes that go on have cost so far; Linux says it. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

/** Seconds of the processor, with those of its children that have ended. */
export function secondsOf(pid) {
  const fields = statOf(pid);
  return (fields ?? []).slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
}

export function secondsOfChildren(pid) {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && statOf(name)?.[1] === String(pid),
  );
  return children.reduce((sum, child) => sum + secondsOf(child), 0);
}

/** Peak memory. */
export function megabytesOf(pid) {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

/** The fields after the name, which may have spaces; undefined where it has ended. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return undefined;
  }
}
