import type { RecordPlace } from '../../log/log-record.ts';
import { isThere } from '../../util/new-file.ts';
import { ok } from '../../util/result.ts';
import type { KnownHead } from '../known-head.ts';
import { encodeHeader, type LogHeader } from '../file/header.ts';
import type { LoadedLog } from '../file/load-log.ts';
import { underLock } from '../file/lock.ts';
import type { StatePaths } from '../file/work-folder.ts';
import type { Locking } from '../store.ts';
import type { Connection } from './connection.ts';
import { LostRun } from './database-error.ts';
import type { Place, WriteOptions } from './place.ts';
import { movePointer, writePointer } from './pointer.ts';

interface Locked {
  readonly place: Place;
  readonly log: LoadedLog;
  readonly campaign: number;
  readonly run: number;
}

/** So long the notes on this machine are waited for, while another command of this machine writes them. */
const NOTES_MS = 2_000;

/** A log that goes on, or a new one: its first record, or `begin`, makes it, and the file beside the manifest. */
export function beginLog(
  connection: Connection,
  { place, log, campaign, run }: Locked,
  { newLineage, witnesses, ...locking }: WriteOptions,
) {
  const { paths, name, identity } = place;
  const isNew = log.header === undefined;
  const fresh = isNew ? encodeHeader(newLineage(), { ...identity, format: 2 }) : undefined;
  const header = (log.header ?? fresh?.header) as LogHeader;
  const chain: RecordPlace = fresh ? { seq: 0, crc: fresh.crc } : log.reading.chain;
  let begun: Promise<void> | undefined;

  async function makeLog(line: string): Promise<void> {
    await connection.query(
      `update campaign.campaign set lineage = $2, header = $3 where id = $1 and lineage is null
        and exists (select from campaign.run where id = $4 and ended_at is null)`,
      [campaign, header.lineage, line.trimEnd(), run],
    );
    const [row] = await connection.query('select lineage from campaign.campaign where id = $1', [campaign]);
    if (row?.['lineage'] !== header.lineage) throw new LostRun();
  }

  async function make(): Promise<void> {
    if (fresh) await makeLog(fresh.line);
    if (fresh || !(await isThere(paths.file)))
      await writePointer(paths, {
        header: { ...header, ...identity },
        to: name,
        end: chain,
        boundAt: log.boundAt,
      });
    await remember(chain);
    await witnesses.note(paths, identity);
  }

  const remember = (end: RecordPlace) => rememberAt(paths, { ...locking, lineage: header.lineage, end });

  return {
    header,
    chain,
    remember,
    leave: (head: KnownHead) => leaveAt(paths, head, locking),
    /** After an error it is tried again. */
    async begin(this: void): Promise<void> {
      begun ??= make();
      await begun.catch((error: unknown) => {
        begun = undefined;
        throw error;
      });
    },
  };
}

/** What this machine, and whoever has the folder, has to find in the log from now on. */
export async function leaveAt(paths: StatePaths, head: KnownHead, locking: Locking): Promise<void> {
  const { lineage, last: end } = head;
  await rememberAt(paths, { ...locking, lineage, end });
  await leaveInPointer(paths, head, locking);
}

/** One process after the other, so that the later head stays. `own`: as for movePointer. */
export async function leaveInPointer(
  paths: StatePaths,
  head: KnownHead,
  { which, ...locking }: Locking & { readonly which?: 'own' },
): Promise<void> {
  let failed: unknown;
  const move = async () => {
    await movePointer(paths, head, which).catch((error: unknown) => {
      failed = error;
    });
    return ok(undefined);
  };
  const moved = await underLock(paths, { ...locking, lockTimeoutMs: NOTES_MS }, move);
  if (!moved.ok) await move();
  if (failed instanceof Error) throw failed;
}

/** Notes how far a log goes, in the lock file of this machine. Never fails: without it one check is weaker. */
export async function rememberAt(
  paths: StatePaths,
  { lineage, end, ...locking }: Locking & { readonly lineage: string; readonly end: RecordPlace },
): Promise<void> {
  await underLock(paths, { ...locking, lockTimeoutMs: NOTES_MS }, async (lock) =>
    ok(await lock.remember(lineage, end)),
  ).catch(() => undefined);
}
