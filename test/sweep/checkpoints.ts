/**
 * Crash points of a campaign in git: after each run somebody commits its state, and before the next one another state
 * lies in its place, on this machine or on one that has no `.campaign/`.
 */
import { encodeHeader } from '../../src/store/file/header.ts';
import { IDENTITY, checkpointOf } from '../support/crash-apply.ts';
import type { DiskOperation } from '../support/crash-disk.ts';
import { type CrashWorld, STATE_FILE } from '../support/crash-world.ts';
import type { Point } from './points.ts';

/** What lies in the place of the state; `commits` are those of the runs before, oldest first. */
const COPIES: Readonly<Record<string, (now: Buffer, commits: readonly Buffer[]) => Buffer | undefined>> = {
  nothing: () => undefined,
  'an empty file': () => Buffer.alloc(0),
  'half of it': (now) => now.subarray(0, now.length >> 1),
  'all but its last line': (now) => now.subarray(0, now.lastIndexOf(10, now.length - 2) + 1),
  'the commit before': (_, commits) => commits.at(-2),
  'the first commit': (_, commits) => commits[0],
  'the log of another lineage': () => Buffer.from(encodeHeader('another', IDENTITY).line),
};

const MACHINES = ['this machine', 'a machine without .campaign'] as const;

/**
 * After a run that was killed at each operation one copy or another, or nothing else than what HEAD has or goes on from
 * there; a fifth of all pairs, as what is left by most kills is alike.
 */
export function checkpoints(operations: readonly DiskOperation[]): Point[] {
  return operations.flatMap((operation) =>
    MACHINES.flatMap((machine) => {
      const where = `on ${machine} after a kill at operation ${operation.n} (${operation.kind} ${operation.path})`;
      const disk = ({ n }: DiskOperation) =>
        n === operation.n ? ({ type: 'die', when: n % 2 ? 'before' : 'after' } as const) : undefined;
      const points: Point[] = [
        ...Object.keys(COPIES).map(
          (copy): Point => ({
            name: `${copy} ${where}`,
            operation,
            disk,
            before: replacing(copy, machine),
          }),
        ),
        {
          name: `what HEAD has, or more, ${where}`,
          operation,
          disk,
          before: committing(machine),
        },
      ];
      return points.filter((_, index) => (index + operation.n) % 5 === 0);
    }),
  );
}

/** Once, before the run that follows the killed one. */
function replacing(copy: string, machine: (typeof MACHINES)[number]): (world: CrashWorld) => boolean {
  const commits: Buffer[] = [];
  let isDone = false;
  return (world) => {
    const log = world.disk.names.get(STATE_FILE);
    if (!log || !checkpointOf(log.data)) return false;
    commits.push(log.data);
    world.head = log.data;
    if (isDone || !world.runs.at(-1)?.died) return false;
    const content = COPIES[copy]?.(log.data, commits);
    if (content && goesOnFrom(content, log.data)) return false;
    isDone = true;
    world.replaced = { log, run: world.runs.at(-1) };
    if (content) world.disk.put(STATE_FILE, content);
    else world.disk.unlink(STATE_FILE);
    if (machine !== 'this machine') forget(world);
    return true;
  };
}

/** A clone of HEAD, or somebody who has not committed the last run yet. */
function committing(machine: (typeof MACHINES)[number]): (world: CrashWorld) => boolean {
  let last: Buffer | undefined;
  return (world) => {
    world.head = last;
    last = world.disk.names.get(STATE_FILE)?.data ?? last;
    if (world.runs.length % 2) world.head = last;
    if (machine !== 'this machine' && world.runs.at(-1)?.died) forget(world);
    return false;
  };
}

/** Whether a copy has the last record too: an unfinished line is none. */
function goesOnFrom(copy: Buffer, log: Buffer): boolean {
  const [found, wanted] = [checkpointOf(copy), checkpointOf(log)];
  return found?.lineage === wanted?.lineage && found?.last?.seq === wanted?.last?.seq;
}

function forget({ disk }: CrashWorld): void {
  for (const path of disk.names.keys()) if (path.includes('/.campaign')) disk.unlink(path);
}
