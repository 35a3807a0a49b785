import type { FatalProblem } from '../../model/problem.ts';
import { ok } from '../../util/result.ts';
import type { LogHeader } from '../file/header.ts';
import type { LoadedLog } from '../file/load-log.ts';
import type { LogWriter } from '../file/log-writer.ts';
import { createSpillFile } from '../file/spill-file.ts';
import { unlessRefused } from '../file/state-problem.ts';
import { StateRecorder } from '../recorder.ts';
import type { Sharing } from '../shared-run.ts';
import { openedState, type WritableState } from '../store.ts';
import type { beginLog } from './begin-log.ts';
import { StateWriteError } from '../write-error.ts';
import type { Connection } from './connection.ts';
import { DatabaseError, unlessDatabaseRefused } from './database-error.ts';
import type { Patiently } from './patience.ts';
import type { Place, WriteOptions } from './place.ts';
import type { OpenRun } from './run-lock.ts';
import type { PostgresRun } from './shared-run.ts';

interface Session {
  readonly connection: Connection;
  readonly patiently: Patiently;
  readonly place: Place;
  readonly options: WriteOptions;
  readonly campaign: number;
  readonly run: OpenRun;
  readonly begun: ReturnType<typeof beginLog>;
  readonly header: LogHeader;
  readonly writer: LogWriter;
  readonly split: FatalProblem | undefined;
  /** Whether this is certainly the state that counts here; if not, the first record decides it. */
  readonly isOurs: boolean;
  /** Notes that the log counts although git's HEAD has another one: the first record decides it. */
  readonly settle: (() => Promise<void>) | undefined;
  readonly warnings: readonly string[];
}

/** An open log of a run that holds it. It is never compacted, as nothing in a database is removed. */
export function createWriteSession(log: LoadedLog, session: Session): WritableState {
  const { place, options, run, begun, header, writer, split, isOurs, settle, warnings } = session;
  const { runId, begin, tellSpilled = () => undefined } = options;
  const spill = createSpillFile(
    place.paths.spill(runId),
    { header, run: runId, after: () => writer.durable },
    tellSpilled,
  );
  let isChanged = false;
  let shared: PostgresRun | undefined;
  let { boundAt = '' } = log;
  const head = () => shared?.head ?? { lineage: header.lineage, last: writer.durable, boundAt };
  const recorder = new StateRecorder(writer, log.state, {
    begin,
    spill: async (events, open) => ({ keptIn: await spill.keep(events, open) }),
    recorded(events, { seq, crc }) {
      isChanged = true;
      for (const event of events) {
        log.runs.add({ seq, run: runId, event }, crc);
        if (event.type === 'rebound') boundAt = event.at;
      }
      place.seen.see(head());
    },
  });
  return {
    ...openedState(log, writer.durable),
    header,
    diverged: split,
    warnings,
    recorder,
    head,
    follow: (told) => recorder.follow(told),
    async share(sharing) {
      await recorder.start();
      shared = await handOver(session, { log, boundAt, tell: tellSpilled }, sharing);
      return shared;
    },
    async count(account, budget) {
      await recorder.start();
      const { openLedger } = await import('./ledger.ts');
      return openLedger(session.connection, { run: run.id, patiently: session.patiently, account, budget });
    },
    async begin() {
      const done = await unlessDatabaseRefused(place, () =>
        unlessRefused('unwritable', place.paths.file, async () => ok(await begun.begin())),
      );
      return done.ok ? undefined : done.error;
    },
    async close() {
      try {
        await recorder.close();
        await spill.close();
        if (isChanged) await settle?.();
        if (isOurs || isChanged) await begun.leave(head());
      } finally {
        await run.release();
      }
    },
  };
}

interface HandedOver {
  readonly log: LoadedLog;
  readonly boundAt: string;
  readonly tell: (lines: string) => void;
}

async function handOver(
  { place, options, campaign, run, header, writer }: Session,
  { log: { state, runs }, boundAt, tell }: HandedOver,
  sharing: Sharing,
): Promise<PostgresRun> {
  const { database, clock, runId, tellWaiting: waits } = options;
  const keeping = { work: place.paths.work, tell };
  const ofLog = { state, runs, header, chain: writer.durable, boundAt, seen: place.seen };
  const own = { campaign, run: run.id, runId, clock, keeping, waits, ...ofLog };
  const { shareRun } = await import('./share-run.ts');
  return shareRun(database, own, sharing).catch((error: unknown) => {
    if (!(error instanceof DatabaseError)) throw error;
    // All of it or nothing: nothing of the run was sent.
    throw new StateWriteError(`The run cannot be handed over: ${error.message}`, {
      cause: error,
      hasNothing: true,
    });
  });
}
