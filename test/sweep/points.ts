/**
 * Crash points, by dimension: everything that can happen to one operation of the disk or one request of the story. An
 * undisturbed run says which there are; each point is then a story of its own.
 */
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import { MEMORY } from '../support/crash-apply.ts';
import type { DiskFault, DiskOperation } from '../support/crash-disk.ts';
import { playStory } from '../support/crash-story.ts';
import { createCrashWorld, type CrashWorld, STATE_FILE, type Storage } from '../support/crash-world.ts';
import type { SimulatedCall, SimulatedFault } from '../support/simulated-client.ts';
import { fateOf, mayFail, STORY_OF_THE_SWEEP } from './story.ts';

/** Asked at each operation: what becomes of it. */
export type OnDisk = (operation: DiskOperation, world: CrashWorld) => DiskFault | undefined;

/** One disturbed story. */
export interface Point {
  /** What happens, for a person: also the way to this point again. */
  readonly name: string;
  readonly power?: 'fails' | 'fails-later';
  readonly disk?: OnDisk;
  /** Where it happens: the story must come by there. */
  readonly operation?: DiskOperation;
  /** `kill`: the process dies as the request leaves. */
  readonly network?: (n: number, at: OnNetwork) => SimulatedFault | 'kill' | 'kill-cut' | undefined;
  /** What happens before each run; true where another log takes the place of the newest one, which has to be refused. */
  readonly before?: (world: CrashWorld) => boolean;
}

interface OnNetwork {
  readonly world: CrashWorld;
  readonly call: SimulatedCall;
}

/**
 * The story at one point; what went wrong. Latencies are the same in all stories, so that up to its point each one does
 * what the undisturbed one did.
 */
export async function visit(point: Point, storage: Storage = 'file'): Promise<string[]> {
  const world = createCrashWorld(seededRandom('latencies'), fateOf, storage);
  let reached = '';
  world.disk.fault = (operation) => {
    if (operation.n === point.operation?.n) reached = nameOf(operation);
    return point.disk?.(operation, world);
  };
  let calls = 0;
  const chapters = STORY_OF_THE_SWEEP.map((chapter) => ({
    ...chapter,
    fault: (call: SimulatedCall): SimulatedFault | undefined => {
      calls += 1;
      const fault = point.network?.(calls, { world, call });
      if (fault !== 'kill' && fault !== 'kill-cut') return fault;
      world.runs.at(-1)?.process.end();
      return fault === 'kill-cut' ? 'cut' : undefined;
    },
  }));
  const { power = 'stays' } = point;
  const luck = seededRandom(point.name);
  let foreign = 0;
  const before = () => {
    if (point.before?.(world)) foreign += 1;
  };
  const problems = await playStory(world, { chapters, power, luck, mayFail, before });
  if (world.putBack < foreign) problems.push('another log was taken for the state');
  if (point.operation && reached !== nameOf(point.operation)) problems.push(`it was at ${reached}`);
  return problems.map((problem) => `${point.name}: ${problem}`);
}

/** What the undisturbed story does to the disk, and how many requests it sends. */
export async function surveyStory(
  storage: Storage = 'file',
): Promise<{ operations: DiskOperation[]; calls: number }> {
  const operations: DiskOperation[] = [];
  let calls = 0;
  const undisturbed: Point = {
    name: 'undisturbed',
    disk(operation) {
      operations.push(operation);
      return undefined;
    },
    network(call) {
      calls = call;
      return undefined;
    },
  };
  const problems = await visit(undisturbed, storage);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { operations, calls };
}

const nameOf = ({ n, kind, path }: DiskOperation) => `operation ${n} (${kind} ${path})`;
const at = (n: number, fault: DiskFault) => (operation: DiskOperation) =>
  operation.n === n ? fault : undefined;
const MOMENTS = ['before', 'after'] as const;
const CODES = ['EIO', 'ENOSPC'] as const;

export function kills(operations: readonly DiskOperation[]): Point[] {
  return operations.flatMap((operation) =>
    MOMENTS.map((when) => ({
      name: `kill ${when} ${nameOf(operation)}`,
      operation,
      disk: at(operation.n, { type: 'die', when }),
    })),
  );
}

export function powerLosses(operations: readonly DiskOperation[]): Point[] {
  const seeds = [1, 2, 3];
  return seeds.flatMap((seed) =>
    kills(operations).map((point) => ({
      ...point,
      name: `power ${seed}, ${point.name}`,
      power: 'fails' as const,
    })),
  );
}

export function errorsOnce(operations: readonly DiskOperation[]): Point[] {
  return operations.flatMap((operation) =>
    CODES.map((code) => ({
      name: `${code} once at ${nameOf(operation)}`,
      operation,
      disk: at(operation.n, { type: 'fail', code }),
    })),
  );
}

/** From one operation on until the process has ended: of the whole disk, or of the log only. */
export function errorsForEver(operations: readonly DiskOperation[]): Point[] {
  const scopes = ['the disk', 'the log'] as const;
  return operations.flatMap((operation) =>
    CODES.flatMap((code) =>
      scopes
        .filter((scope) => scope === 'the disk' || isLog(operation))
        .map((scope) => ({
          name: `${code} of ${scope} from ${nameOf(operation)} on`,
          operation,
          disk: failsFrom(operation.n, code, scope),
        })),
    ),
  );
}

const isLog = ({ path }: DiskOperation) => path === STATE_FILE || path === MEMORY;

function failsFrom(n: number, code: (typeof CODES)[number], scope: 'the disk' | 'the log'): OnDisk {
  let failing: CrashWorld['runs'][number] | undefined;
  return (operation, { runs }) => {
    if (operation.n === n) failing = runs.at(-1);
    const isMeant = scope === 'the disk' || isLog(operation);
    return failing && failing === runs.at(-1) && isMeant ? { type: 'fail', code } : undefined;
  };
}

/** A write that takes some of its bytes, and then fails or is the last one. */
export function shortWrites(operations: readonly DiskOperation[]): Point[] {
  const ways = ['die', 'power', ...CODES] as const;
  return operations
    .filter(({ kind, bytes }) => kind === 'write' && bytes > 1)
    .flatMap((operation) => {
      const sizes = new Set([1, operation.bytes >> 1, operation.bytes - 1]);
      return [...sizes].flatMap((bytes) =>
        ways.map((way): Point => {
          const ends = way === 'power' ? 'die' : way;
          return {
            name: `${bytes} bytes and ${way} at ${nameOf(operation)}`,
            operation,
            disk: at(operation.n, { type: 'short', bytes, ends }),
            ...(way === 'power' ? { power: 'fails' } : {}),
          };
        }),
      );
    });
}

/**
 * A second fault so many operations into the next run: into its repair, its import, its compaction. One first fault is
 * followed after an odd number of operations, the next one after an even number.
 */
export function doubleFaults(operations: readonly DiskOperation[]): Point[] {
  const every = (n: number, points: readonly Point[], start: RegExp) =>
    points.filter(({ name }) => start.test(name)).filter((_, index) => index % n === 0);
  // What a killed run had written without a sync is read by the next one, and may be gone after that.
  const killed = every(3, kills(operations), /^kill after .*(write|create|rename)/);
  const firsts = [
    ...killed.map((point): Point => ({ ...point, name: `${point.name}, power later`, power: 'fails-later' })),
    ...every(3, shortWrites(operations), /^\d\d+ bytes and die/),
    ...every(2, errorsForEver(operations), /^EIO of the log/),
    ...every(4, powerLosses(operations), /^power 1, kill after/),
  ];
  return firsts.flatMap((first, nth) =>
    Array.from({ length: 10 }, (_, index) => 2 * index + 1 + (nth % 2)).map((later) => ({
      ...first,
      name: `${first.name}, then kill ${later} later`,
      disk: thenKill(first, later),
    })),
  );
}

function thenKill(first: Point, later: number): OnDisk {
  let hit: number | undefined;
  let since = 0;
  return (operation, world) => {
    const fault = first.disk?.(operation, world);
    if (fault) hit = world.runs.length;
    if (fault || hit === undefined || world.runs.length === hit) return fault;
    since += 1;
    return since === later ? { type: 'die', when: since % 2 ? 'before' : 'after' } : undefined;
  };
}

const NETWORK_FAULTS = [
  'refused',
  'unreachable',
  'cut',
  'cut-done',
  'silent',
  'silent-done',
  'garbage',
  'kill',
  'kill-cut',
  { status: 400 },
  { status: 429, retryAfter: 2 },
  { status: 503 },
] as const;

/** Every way in which one request can go wrong, and a process that dies while it is under way. */
export function networkFaults(calls: number): Point[] {
  return Array.from({ length: calls }, (_, index) => index + 1).flatMap((n) =>
    NETWORK_FAULTS.map((fault) => ({
      name: `${JSON.stringify(fault)} at request ${n}`,
      network: (call: number) => (call === n ? fault : undefined),
    })),
  );
}
