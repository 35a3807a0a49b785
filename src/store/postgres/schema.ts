/** The tables of a database with states: one schema, which is laid down where none is. */
import { EXIT } from '../../model/exit.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { ACCOUNTS } from './accounts.ts';
import { APPEND } from './append-lines.ts';
import type { Connection } from './connection.ts';
import { DatabaseError } from './database-error.ts';
import { LOCKS } from './locks.ts';
import { POSTS_IN_FLIGHT } from './posts-in-flight.ts';
import { RUNS } from './runs.ts';
import { SERVER } from './server-changed.ts';
import { SPENT_ALONE } from './spent-alone.ts';
import { TABLES } from './tables.ts';

/** Another one is refused. */
export const SCHEMA_VERSION = 1;

/** It needs the queue's own tables. */
const SCHEMA = TABLES + SERVER + RUNS + APPEND + ACCOUNTS + POSTS_IN_FLIGHT + SPENT_ALONE;

/** One text is one transaction. What another one has made meanwhile is left. */
const LAY = `do $lay$ begin
  perform pg_advisory_xact_lock(${LOCKS}, 0);
  if to_regclass('campaign.schema_version') is null then
    if to_regnamespace('campaign') is null then
      create schema campaign;
    end if;
    execute $schema$${SCHEMA}$schema$;
    create table campaign.schema_version (version int primary key, at timestamptz not null default clock_timestamp());
    insert into campaign.schema_version (version) values (${SCHEMA_VERSION});
  end if;
end $lay$`;

/** 0 where there are no tables yet. */
export async function schemaVersion({ query }: Pick<Connection, 'query'>): Promise<number> {
  const [table] = await query(`select to_regclass('campaign.schema_version') is not null as there`);
  if (table?.['there'] !== true) return 0;
  const [row] = await query('select max(version) as version from campaign.schema_version');
  return Number(row?.['version']);
}

/** Makes the tables where there are none; two that do so at once wait for each other. All of it or nothing. */
export async function migrate(
  connection: Connection,
  { name }: { readonly name: string },
): Promise<Result<{ readonly before: number; readonly now: number }, FatalProblem>> {
  const before = await schemaVersion(connection);
  if (before === SCHEMA_VERSION) return ok({ before, now: before });
  if (before !== 0) return err(otherSchema(name, before));
  const [encoding] = await connection.query(`select current_setting('server_encoding') as name`);
  if (encoding?.['name'] !== 'UTF8') return err(otherEncoding(name, String(encoding?.['name'])));
  await connection.query('select pg_advisory_lock($1::int, 0)', [LOCKS]);
  try {
    // Transactions of its own; what is there already is left.
    const { installQueue } = await import('./queue.ts');
    await installQueue(connection.query);
    await connection.query(LAY);
  } finally {
    // The queue begins transactions of its own, and does not end one that has failed.
    await connection.query('rollback');
    await connection.query('select pg_advisory_unlock($1::int, 0)', [LOCKS]);
  }
  return ok({ before, now: SCHEMA_VERSION });
}

/** Why the tables cannot be used as they are; undefined where they can. */
export function whyNotUsable(name: string, version: number): FatalProblem | undefined {
  if (version === 0) return noTables(name, MAKE_THEM);
  return version === SCHEMA_VERSION ? undefined : otherSchema(name, version);
}

/** Makes the tables for the first command that writes, where its role may; else somebody else has to. */
export async function prepareSchema(
  connection: Connection,
  place: { readonly name: string },
): Promise<Result<void, FatalProblem>> {
  try {
    const made = await migrate(connection, place);
    return made.ok ? ok(undefined) : made;
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === '42501')) throw error;
    return err(noTables(place.name, MAY_NOT));
  }
}

function otherSchema(name: string, version: number): FatalProblem {
  return {
    code: 'state-newer-format',
    exit: EXIT.badState,
    summary: 'The state was written by another version of campaign',
    detail:
      `${name}: its tables have version ${version}, and this campaign works with version ${SCHEMA_VERSION} only. Nothing was ` +
      'changed. Use the version of campaign that made them, or name another database.',
  };
}

/** Nobody has tried to. */
const MAKE_THEM =
  '`campaign db migrate --state URL` makes them, as the owner of the tables; the next `campaign apply` does it, too, if its ' +
  'role may. Nothing was changed.';
const MAY_NOT =
  'This role may not make them. Run `campaign db migrate --state URL` once as the owner of the tables (docs/scale.md, ' +
  '"Roles"). Nothing was sent.';

function noTables(name: string, what: string): FatalProblem {
  return {
    code: 'database-not-migrated',
    exit: EXIT.configuration,
    summary: "The database lacks campaign's tables",
    detail: `${name} has none. ${what}`,
  };
}

function otherEncoding(name: string, encoding: string): FatalProblem {
  return {
    code: 'database-encoding',
    exit: EXIT.configuration,
    summary: 'The database cannot hold every text',
    detail: `${name} has the encoding ${encoding}: make one with \`createdb --encoding=UTF8 --template=template0\`.`,
  };
}
