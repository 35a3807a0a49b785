/** The version of the tables in a database, and how it becomes that of this program. */
import { EXIT } from '../../model/exit.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { Connection } from './connection.ts';
import { DatabaseError } from './database-error.ts';
import { LOCKS } from './locks.ts';
import { MIGRATIONS } from './migrations.ts';

export const SCHEMA_VERSION = MIGRATIONS.length;

/** 0 where there are no tables yet. */
export async function schemaVersion({ query }: Pick<Connection, 'query'>): Promise<number> {
  const [table] = await query(`select to_regclass('campaign.migration') is not null as there`);
  if (table?.['there'] !== true) return 0;
  const [row] = await query('select coalesce(max(version), 0)::int as version from campaign.migration');
  return Number(row?.['version']);
}

/** Carries out what is missing; two that do so at once wait for each other. Our own tables: all of it or nothing. */
export async function migrate(
  connection: Connection,
  { name }: { readonly name: string },
): Promise<Result<{ readonly before: number; readonly now: number }, FatalProblem>> {
  const before = await schemaVersion(connection);
  if (before > SCHEMA_VERSION) return err(newerSchema(name, before));
  if (before === SCHEMA_VERSION) return ok({ before, now: before });
  const [encoding] = await connection.query(`select current_setting('server_encoding') as name`);
  if (encoding?.['name'] !== 'UTF8') return err(otherEncoding(name, String(encoding?.['name'])));
  await connection.query('select pg_advisory_lock($1::int, 0)', [LOCKS]);
  try {
    // Transactions of its own; what is there already is left.
    const { installQueue } = await import('./queue.ts');
    await installQueue(connection.query);
    await connection.query(migrationFrom());
  } finally {
    // The queue begins transactions of its own, and does not end one that has failed.
    await connection.query('rollback');
    await connection.query('select pg_advisory_unlock($1::int, 0)', [LOCKS]);
  }
  return ok({ before, now: SCHEMA_VERSION });
}

/** One text is one transaction. What another one has carried out meanwhile is left out. */
function migrationFrom(): string {
  const steps = MIGRATIONS.map((sql, index) => {
    const version = index + 1;
    return `
      if not exists (select from campaign.migration where version = ${version}) then
        execute $step${version}$${sql}$step${version}$;
        insert into campaign.migration (version) values (${version});
      end if;`;
  });
  return `do $migrate$ begin
    perform pg_advisory_xact_lock(${LOCKS}, 0);
    if to_regnamespace('campaign') is null then
      create schema campaign;
    end if;
    create table if not exists campaign.migration (
      version int primary key, at timestamptz not null default clock_timestamp()
    );${steps.join('')}
  end $migrate$`;
}

/** Why the tables cannot be used as they are; undefined where they can. */
export function whyNotUsable(name: string, version: number): FatalProblem | undefined {
  if (version > SCHEMA_VERSION) return newerSchema(name, version);
  return version === SCHEMA_VERSION ? undefined : notMigrated(name, version, MAKE_THEM);
}

/** Makes the tables right for the first command that writes, where its role may; else somebody else has to. */
export async function prepareSchema(
  connection: Connection,
  place: { readonly name: string },
): Promise<Result<void, FatalProblem>> {
  const version = await schemaVersion(connection);
  if (version === SCHEMA_VERSION) return ok(undefined);
  try {
    const migrated = await migrate(connection, place);
    return migrated.ok ? ok(undefined) : migrated;
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === '42501')) throw error;
    return err(notMigrated(place.name, version, MAY_NOT));
  }
}

function newerSchema(name: string, version: number): FatalProblem {
  return {
    code: 'state-newer-format',
    exit: EXIT.badState,
    summary: 'The state was written by a newer campaign',
    detail:
      `${name}: its tables have version ${version}, and this campaign knows version ${SCHEMA_VERSION}. Nothing was changed. ` +
      'Install a newer version of campaign.',
  };
}

/** Nobody has tried to. */
const MAKE_THEM =
  '. `campaign db migrate --state URL` makes them, as the owner of the tables; the next `campaign apply` does it, too, if its ' +
  'role may. Nothing was changed.';
const MAY_NOT =
  ', and this role may not make them. Run `campaign db migrate --state URL` once as the owner of the tables (docs/scale.md, ' +
  '"Roles"). Nothing was sent.';

function notMigrated(name: string, version: number, what: string): FatalProblem {
  return {
    code: 'database-not-migrated',
    exit: EXIT.configuration,
    summary: "The database lacks campaign's tables",
    detail:
      `${name}: its tables have version ${version} (0: there are none), and this campaign needs version ${SCHEMA_VERSION}` +
      what,
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
