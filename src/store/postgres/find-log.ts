/**
 * Which log in a database is that of a manifest: the one that the file beside the manifest names. Where there is no such
 * file, none may be there: a log of this campaign at this service is that of another clone, or the file was lost.
 */
import { EMULATOR } from '../../model/emulator.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { isDatabaseUrl } from '../../util/database-url.ts';
import { isSameBaseUrl } from '../../util/same-base-url.ts';
import type { KnownHead } from '../known-head.ts';
import type { StateIdentity } from '../store.ts';
import type { Connection } from './connection.ts';
import { elsewhereInDatabase, fileIsThere, movedToFile, nameIsTaken, noSuchLog } from './database-problem.ts';
import type { Place } from './place.ts';
import { readPointer } from '../file/pointer.ts';
import { movedAway } from '../file/state-problem.ts';

export interface LogRow {
  readonly id: number;
  readonly identity: StateIdentity;
  readonly lineage: string;
  /** The first line of the log. */
  readonly header: string;
  /** Number of its last record. */
  readonly head: number;
  readonly movedTo: string | undefined;
  /** A process that knew more of it has ended a run with it, and nobody has decided since that it counts. */
  readonly isOlder: boolean;
}

const COLUMNS = `id::float8 as id, name, environment, base_url, lineage, header, head_seq::float8 as head, moved_to,
  exists (
    select from campaign.run r where r.campaign = campaign.id and r.ended_how = 'older' and not exists (
      select from campaign.event e
        where e.campaign = r.campaign and e.at > r.ended_at and e.line like '%"type":"rebound"%'
    )
  ) as is_older`;

/**
 * Undefined where there is none, and that may be so. `any`: one that another clone has begun counts, too, as somebody has
 * said so. `closed`: also one that was moved away. `no-tables`: nothing can be asked, and nothing is there.
 */
export async function findLog(
  connection: Connection,
  place: Place,
  which: 'own' | 'any' | 'closed' | 'no-tables',
): Promise<Result<LogRow | undefined, FatalProblem>> {
  const { name, paths, identity } = place;
  const pointer = await readPointer(paths);
  if (!pointer.ok) return pointer;
  if (pointer.value.type === 'other') return err(fileIsThere(place));
  if (pointer.value.type === 'pointer') {
    const { lineage } = pointer.value;
    if (which === 'no-tables') return err(noSuchLog(name, { file: paths.file, lineage }));
    const [row] = await connection.query(`select ${COLUMNS} from campaign.campaign where lineage = $1`, [
      lineage,
    ]);
    const { movedTo: to } = pointer.value.header;
    if (!row)
      return err(
        isDatabaseUrl(to) ? noSuchLog(name, { file: paths.file, lineage }) : movedAway(paths.file, to),
      );
    const found = logOf(row);
    return found.movedTo === undefined || which === 'closed'
      ? ok(found)
      : err(movedToFile(name, found.movedTo));
  }
  if (which === 'no-tables' || (identity.baseUrl === EMULATOR && which === 'own')) return ok(undefined);
  const [other] = await logsOf(connection, identity);
  if (!other) return ok(undefined);
  const taker = await place.witnesses.taker(paths, other.lineage);
  if (taker !== undefined) return err(nameIsTaken(name, other.identity, taker));
  // Its first run writes the file before the first record: until then it is waited for, as for any run.
  if (which === 'any' || other.head === 0) return ok(other);
  const again = await readPointer(paths);
  if (!again.ok || again.value.type !== 'nothing') return findLog(connection, place, which);
  return err(elsewhereInDatabase(place, other.identity));
}

/** Logs of a campaign at a service that have records or are about to, the newest first. */
export async function logsOf({ query }: Connection, { campaign, environment, baseUrl }: StateIdentity) {
  const rows = await query(
    `select ${COLUMNS} from campaign.campaign where name = $1 and environment = $2 and lineage is not null and moved_to is null
      and (
        exists (select from campaign.event e where e.campaign = campaign.id)
        or exists (select from campaign.run r where r.campaign = campaign.id and r.ended_at is null)
      )
      order by id desc`,
    [campaign, environment],
  );
  return rows.map(logOf).filter(({ identity }) => isSameBaseUrl(identity.baseUrl, baseUrl));
}

/** Logs that lack a record of which somebody knows, unless that was found before: a decision may have settled it. */
export async function logsThatLack({ query }: Connection, heads: readonly KnownHead[]): Promise<LogRow[]> {
  if (heads.length === 0) return [];
  const rows = await query(
    `select ${COLUMNS} from campaign.campaign
      join unnest($1::text[], $2::bigint[], $3::text[]) known (of_lineage, seq, seal) on of_lineage = lineage
      where moved_to is null and coalesce((header::json ->> 'seq')::bigint, 0) < seq and not exists (
        select from campaign.event e where e.campaign = campaign.id and e.seq = known.seq and right(e.line, 10) = seal
      )`,
    [
      heads.map(({ lineage }) => lineage),
      heads.map(({ last }) => last.seq),
      heads.map(({ last }) => `${last.crc.toString(16).padStart(8, '0')}"}`),
    ],
  );
  return rows.map(logOf).filter(({ isOlder }) => !isOlder);
}

function logOf(row: Readonly<Record<string, unknown>>): LogRow {
  const { id, head, name, environment, base_url: baseUrl, lineage, header, moved_to: movedTo } = row;
  return {
    id: Number(id),
    identity: { campaign: String(name), environment: String(environment), baseUrl: String(baseUrl) },
    lineage: String(lineage),
    header: String(header),
    head: Number(head),
    movedTo: typeof movedTo === 'string' ? movedTo : undefined,
    isOlder: row['is_older'] === true,
  };
}

/** The row that a new log of this campaign will have, so that two that begin it wait for each other. */
export async function rowToBegin({ query }: Connection, identity: StateIdentity): Promise<number> {
  const values = [identity.campaign, identity.environment, identity.baseUrl];
  await query(
    `insert into campaign.campaign (name, environment, base_url) values ($1, $2, $3)
      on conflict (name, environment, base_url) where lineage is null do nothing`,
    values,
  );
  const [row] = await query(
    `select id::float8 as id from campaign.campaign
      where name = $1 and environment = $2 and base_url = $3 and lineage is null`,
    values,
  );
  // Somebody may have begun it in between.
  return row ? Number(row['id']) : rowToBegin({ query } as Connection, identity);
}
