/**
 * What a process of a shared run has learned, and the log of the run does not take. After the end of the run it is recorded
 * all the same. Where another run writes the log by then, or the database is away for longer than anybody waits, it goes into
 * a file of this machine, as that of a run of one process does, and is recorded from there later (take-up.ts).
 */
import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import type { StateEvent } from '../../model/state-event.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { sharedSpillName } from '../file/import-spill.ts';
import { createSpillFile } from '../file/spill-file.ts';
import { makeWorkFolder } from '../file/work-folder.ts';
import type { Connection } from './connection.ts';
import type { Kept } from '../write-error.ts';
import { PATIENCE_MS } from './job-claims.ts';
import type { Joining } from './joining.ts';
import { recordLate } from './late-answers.ts';
import type { SharedLog } from './shared-log.ts';

interface Keeping extends Joining {
  readonly connection: Connection;
  readonly log: Pick<SharedLog, 'recordIn' | 'durable' | 'isCutOff'>;
}

interface Recording {
  readonly events: readonly StateEvent[];
  readonly open: readonly StateEvent[];
  readonly lockTimeoutMs: number;
}

export function createKeeper(kept: Keeping) {
  const { log, header, runId, keeping } = kept;
  let late: Promise<unknown> = Promise.resolve();

  /** A file for each, which has its name once it is whole: somebody may take it up at once. */
  async function inFile(events: readonly StateEvent[], open: readonly StateEvent[]) {
    if (!keeping) return undefined;
    const file = path.join(keeping.work, sharedSpillName(runId, randomUUID().slice(0, 8)));
    await makeWorkFolder(keeping.work).catch(() => undefined);
    const of = { header, run: runId, after: () => log.durable };
    const spill = createSpillFile(`${file}.new`, of, (lines) => keeping.tell?.(lines));
    const written = await spill.keep(events, open);
    await spill.close();
    if (written === undefined) return undefined;
    const isNamed = rename(written, file).then(() => syncFolder(keeping.work));
    // Without its name nobody takes it up: the lines that were told are all there is.
    return isNamed.then(
      () => file,
      () => undefined,
    );
  }

  /** One after the other: each is a run of its own. */
  function record({ events, open, lockTimeoutMs }: Recording): ReturnType<typeof recordLate> {
    const recorded = late.then(() => recordLate({ ...kept, lockTimeoutMs }, events, open));
    late = recorded.catch(() => undefined);
    return recorded;
  }

  return {
    /** Says where it is; nowhere where nothing of it could be kept. */
    async keep(events: readonly StateEvent[], open: readonly StateEvent[]): Promise<Kept> {
      if (log.isCutOff) return { keptIn: await inFile(events, open) };
      let came = await record({ events, open, lockTimeoutMs: 0 });
      // Another run may take hours, and this process may end before that: a file is there at once.
      const keptIn = came === 'refused' ? await inFile(events, open) : undefined;
      if (keptIn !== undefined) return { keptIn };
      if (came === 'refused') came = await record({ events, open, lockTimeoutMs: PATIENCE_MS });
      if (came === 'refused') return { keptIn: undefined };
      return came === 'recorded' ? { keptIn: WHERE } : { hasNothing: true };
    },
  };
}

const WHERE = 'the state, after the end of the run';
