import type { RecordPlace } from '../../log/log-record.ts';
import { isThere } from '../../util/new-file.ts';
import type { KnownHead } from '../known-head.ts';
import { encodeHeader, type LogHeader } from '../file/header.ts';
import type { LoadedLog } from '../file/load-log.ts';
import { leaveAt, rememberAt, writePointer } from '../file/pointer.ts';
import type { Connection } from './connection.ts';
import { LostRun } from './database-error.ts';
import type { Place, WriteOptions } from './place.ts';

interface Locked {
  readonly place: Place;
  readonly log: LoadedLog;
  readonly campaign: number;
  readonly run: number;
}

/** A log that goes on, or a new one: its first record, or `begin`, makes it, and the file beside the manifest. */
export function beginLog(
  connection: Connection,
  { place, log, campaign, run }: Locked,
  { newLineage, ...locking }: WriteOptions,
) {
  const { paths, name, identity } = place;
  const isNew = log.header === undefined;
  const fresh = isNew ? encodeHeader(newLineage(), identity) : undefined;
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
