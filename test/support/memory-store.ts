/**
 * A store in memory: a place that outlives the processes that use it, as a database does. What was appended is durable, all
 * events of an append or none; there are no spill files, so what it does not take is lost.
 */
import { emptyState, fold } from '../../src/log/fold.ts';
import type { LogRecord } from '../../src/log/log-record.ts';
import { createRunSummaries } from '../../src/log/run-summaries.ts';
import { EXIT } from '../../src/model/exit.ts';
import type { FatalProblem } from '../../src/model/problem.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { StateRecorder } from '../../src/store/recorder.ts';
import {
  type Locking,
  openedState,
  type StateHeader,
  type StateIdentity,
  type Store,
  type Visit,
  type WritableState,
} from '../../src/store/store.ts';
import { StateWriteError } from '../../src/store/write-error.ts';
import { err, ok, type Result } from '../../src/util/result.ts';

/** What is there, whoever looks. */
export interface MemoryPlace {
  header: StateHeader | undefined;
  readonly records: LogRecord[];
  holder: Holder | undefined;
}

interface Holder {
  readonly command: string;
  readonly isAlive: () => boolean;
}

export function createMemoryPlace(): MemoryPlace {
  return { header: undefined, records: [], holder: undefined };
}

interface MemoryStoreOptions {
  readonly identity: StateIdentity;
  /** Of the process that uses the store. */
  readonly isAlive?: () => boolean;
  /** Carries out a change of the place; rejects where it is refused, and may leave it out then. */
  readonly change?: (bytes: number, effect: () => void) => Promise<void>;
}

const atOnce = (_: number, effect: () => void) => Promise.resolve().then(effect);

export function createMemoryStore(
  place: MemoryPlace,
  { identity, isAlive = () => true, change = atOnce }: MemoryStoreOptions,
): Store {
  const name = `memory:${identity.campaign}`;

  /** The log as it is, folded. */
  function load() {
    const state = emptyState();
    const runs = createRunSummaries();
    let header = place.header;
    for (const record of place.records) {
      const { event } = record;
      fold(state, event);
      runs.add(record, 0);
      if (event.type === 'rebound' && header)
        header = {
          ...header,
          campaign: event.campaign,
          environment: event.environment,
          baseUrl: event.base_url,
        };
    }
    return { state, runs, header };
  }

  const end = () => ({ seq: place.records.length, crc: 0 });

  function read(visit?: Visit): ReturnType<Store['read']> {
    const log = load();
    if (visit) place.records.forEach(visit);
    const problem = foreign(name, log.header, identity);
    const opened = { ...openedState(log, end()), diverged: undefined, warnings: [] };
    return Promise.resolve(problem ? err(problem) : ok(opened));
  }

  async function lock({ lockTimeoutMs, clock, command }: Locking): Promise<Holder | FatalProblem> {
    const start = clock.monotonic();
    for (;;) {
      const { holder } = place;
      if (!holder?.isAlive()) {
        place.holder = { command, isAlive };
        return place.holder;
      }
      const left = start + lockTimeoutMs - clock.monotonic();
      const detail = `${name} is in use by ${holder.command}.`;
      if (left <= 0)
        return { code: 'state-locked', exit: EXIT.locked, summary: 'Another run holds the lock', detail };
      await new Promise<void>((resolve) => clock.after(Math.min(left, 10), resolve));
    }
  }

  return {
    name,
    read,
    reader:
      (begin = () => undefined) =>
      () =>
        read(begin()),
    adopt: () => Promise.reject(new Error('it has no file')),
    async hold(locking) {
      const holder = await lock(locking);
      if ('code' in holder) return err(holder);
      return ok({
        async release() {
          if (place.holder === holder) place.holder = undefined;
        },
      });
    },
    async write(run): Promise<Result<WritableState, FatalProblem>> {
      const holder = await lock(run);
      if ('code' in holder) return err(holder);
      const release = () => {
        if (place.holder === holder) place.holder = undefined;
      };
      const log = load();
      const problem = run.allow?.includes('foreign') ? undefined : foreign(name, log.header, identity);
      if (problem) {
        release();
        return err(problem);
      }
      const header = log.header ?? { ...identity, lineage: run.newLineage(), seq: 0 };
      const writer = createWriter(place, { header, run: run.runId, change });
      const recorder = new StateRecorder(writer, log.state, {
        begin: run.begin,
        recorded: (events, { seq }) => {
          for (const event of events) log.runs.add({ seq, run: run.runId, event }, 0);
        },
        spill(events, open) {
          run.tellSpilled?.([...open, ...events].map((event) => `${JSON.stringify(event)}\n`).join(''));
          return Promise.resolve({});
        },
      });
      return ok({
        ...openedState(log, end()),
        header,
        diverged: undefined,
        warnings: [],
        recorder,
        follow: (told) => recorder.follow(told),
        begin: () => writer.begin(),
        async close() {
          try {
            await recorder.close();
          } finally {
            release();
          }
        },
      });
    },
    holder: () => Promise.resolve(place.holder?.isAlive() ? place.holder.command : undefined),
    excludesOthers: () => Promise.resolve(true),
  };
}

function createWriter(
  place: MemoryPlace,
  {
    header,
    run,
    change,
  }: Required<Pick<MemoryStoreOptions, 'change'>> & { readonly header: StateHeader; readonly run: string },
) {
  let broken: StateWriteError | undefined;
  /** One after the other, as they came. */
  let before: Promise<unknown> = Promise.resolve();

  async function commit(events: readonly StateEvent[]) {
    if (broken) throw broken;
    try {
      await change(JSON.stringify(events).length, () => {
        place.header ??= header;
        for (const event of events) place.records.push({ seq: place.records.length + 1, run, event });
      });
    } catch (error) {
      broken = new StateWriteError(`The state cannot be written: ${String(error)}`, { cause: error });
      throw broken;
    }
    return { seq: place.records.length, crc: 0 };
  }

  function append(events: readonly StateEvent[]) {
    const appended = before.then(() => commit(events));
    before = appended.catch(() => undefined);
    return appended;
  }

  return {
    append,
    async begin(): Promise<FatalProblem | undefined> {
      try {
        await append([]);
        return undefined;
      } catch (error) {
        const detail = `${String(error)}.`;
        return {
          code: 'state-unwritable',
          exit: EXIT.cannotWrite,
          summary: 'The state cannot be written',
          detail,
        };
      }
    },
    async close() {
      await before;
    },
  };
}

function foreign(
  name: string,
  header: StateHeader | undefined,
  identity: StateIdentity,
): FatalProblem | undefined {
  const keys = ['campaign', 'environment', 'baseUrl'] as const;
  if (!header || keys.every((key) => header[key] === identity[key])) return undefined;
  const detail = `${name} is the state of ${keys.map((key) => header[key]).join(', ')}.`;
  return {
    code: 'state-foreign',
    exit: EXIT.badState,
    summary: 'The state belongs to something else',
    detail,
  };
}
