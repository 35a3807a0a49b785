/** Crash points at which something else puts another log in the place of the one that a run writes: git, a backup. */
import type { DiskOperation } from '../support/crash-disk.ts';
import { type CrashWorld, STATE_FILE } from '../support/crash-world.ts';
import type { OnDisk, Point } from './points.ts';

/** What the log has been; undefined where there was none. */
interface History {
  readonly atStart: Buffer | undefined;
  /** Oldest first. */
  readonly commits: readonly Buffer[];
  readonly now: Buffer | undefined;
}

/** Which log takes the place of the one that is there; undefined removes it. */
const COPIES: Readonly<Record<string, (history: History, n: number) => Buffer | undefined>> = {
  'an identical copy': ({ now }) => now && Buffer.from(now),
  'the one of the run before': ({ atStart }) => atStart,
  'the one of the last commit': ({ commits }) => commits.at(-1),
  'the one of the commit before': ({ commits }) => commits.at(-2),
  'an older one': ({ commits }, n) => commits[(n * 7) % Math.max(1, commits.length)],
};

/** At every operation one or two of the copies, and every copy at each third; the run goes on, or is killed soon after. */
export function replacements(operations: readonly DiskOperation[]): Point[] {
  return operations.flatMap((operation) =>
    Object.keys(COPIES).flatMap((copy, index) => {
      if ((operation.n + index) % 3 !== 0) return [];
      const later = [1, 3, 7][((operation.n + index) / 3) % 3] as number;
      const name = `${copy} at operation ${operation.n} (${operation.kind} ${operation.path})`;
      return [
        { name, operation, disk: replaced(operation.n, copy) },
        { name: `${name}, then kill ${later} later`, operation, disk: replaced(operation.n, copy, later) },
      ];
    }),
  );
}

function replaced(n: number, copy: string, killedLater?: number): OnDisk {
  let run = 0;
  let atStart: Buffer | undefined;
  const commits: Buffer[] = [];
  return (operation, world) => {
    const now = world.disk.names.get(STATE_FILE)?.data;
    if (world.runs.length !== run) atStart = now;
    run = world.runs.length;
    if (operation.kind === 'sync' && operation.path === STATE_FILE && now) commits.push(now);
    if (operation.n === n) replace(world, COPIES[copy]?.({ atStart, commits, now }, n));
    if (killedLater === undefined || operation.n !== n + killedLater) return undefined;
    return { type: 'die', when: killedLater % 2 ? 'before' : 'after' };
  };
}

/** From now on this is the log, whatever a process writes into the one it has open. */
function replace(world: CrashWorld, content: Buffer | undefined): void {
  const { disk } = world;
  const before = disk.names.get(STATE_FILE);
  // A log that nobody has begun cannot be replaced.
  if (!before || before.data.length === 0) return;
  world.replaced = { log: before, run: world.runs.at(-1) };
  if (content) disk.put(STATE_FILE, content);
  else disk.unlink(STATE_FILE);
}
