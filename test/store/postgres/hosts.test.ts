/** To which of several servers a connection goes, and with which password: both are decided anew for each connection. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConnection } from '../../../src/store/postgres/connection.ts';
import { databaseAt } from '../../../src/store/postgres/database-url.ts';
import { startCutProxy } from '../../support/cut-proxy.ts';
import { hasOwnPostgres, ownPostgres } from '../../support/own-postgres.ts';
import { hasPostgres, makeDatabase, roleIn, runSql, serverUrl } from '../../support/postgres.ts';

function connectionTo(url: string, env: Record<string, string> = {}) {
  const database = databaseAt(url, env);
  if (!database.ok) throw new Error(database.error.detail);
  const open = () => {
    const connection = createConnection(database.value);
    onTestFinished(() => connection.close());
    return connection;
  };
  return { ...open(), again: open };
}

/** A server that has only what is written there: it takes records once it is promoted. */
async function standby() {
  let data = '';
  const server = await ownPostgres((folder) => {
    data = path.join(folder, 'data');
    return {};
  });
  await server.end();
  await writeFile(path.join(data, 'standby.signal'), '');
  await server.again();
  return server;
}

const PORT = 'select inet_server_port() as port';

describe.runIf(hasOwnPostgres)('a connection to one of several hosts', () => {
  it('goes to the one that takes records, also after a failover, and says of each why it does not', async () => {
    const late = await standby();
    const first = await startCutProxy(new URL(await serverUrl()));
    const [lateAt, firstAt] = [new URL(late.url).host, new URL(first.url).host];
    const listed = new URL(late.url).href.replace(lateAt, `${lateAt},${firstAt}`);
    const { query, again } = connectionTo(listed);
    expect(await query(PORT)).toEqual([{ port: Number(new URL(await serverUrl()).port) }]);

    first.cut();
    // The first question finds that the connection is lost.
    await expect(query(PORT)).rejects.toMatchObject({ isPassing: true });
    const refused = (await query(PORT).catch((error: unknown) => error)) as Error;
    expect(refused).toMatchObject({ isPassing: true });
    expect(refused.message).toContain(`${lateAt} says: it is a standby, which takes no records`);
    expect(refused.message).toContain(`${firstAt} says: `);
    await runSql(late.url, 'select pg_promote()');
    expect(await query(PORT)).toEqual([{ port: Number(new URL(late.url).port) }]);
    // Who comes next begins there.
    expect(await again().query(PORT)).toEqual([{ port: Number(new URL(late.url).port) }]);
  });

  it('or to the only one that is named, where that is asked for', async () => {
    const url = await makeDatabase();
    await runSql(
      url,
      `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
    );
    for (const [wanted, isTaken] of [
      ['any', true],
      ['primary', true],
      ['read-write', false],
    ] as const) {
      const asked = connectionTo(`${url}?target_session_attrs=${wanted}`).query('select 1 as one');
      if (isTaken) expect(await asked).toEqual([{ one: 1 }]);
      else await expect(asked).rejects.toThrow('its sessions are read-only');
    }
  });
});

describe.runIf(hasPostgres)('what the URL says of a session', () => {
  it('is obeyed', async () => {
    const url = await makeDatabase();
    const more = 'application_name=mine&options=-c%20work_mem%3D8MB';
    const [row] = await connectionTo(`${url}?${more}&sslmode=prefer`).query(
      `select current_setting('work_mem') as memory, current_setting('application_name') as name`,
    );
    expect(row).toEqual({ memory: '8MB', name: 'mine' });
  });
});

describe.runIf(hasPostgres)('the password of a connection', () => {
  it('is looked up for each one; a refused one is waited for only where another one was taken before', async () => {
    const owner = await makeDatabase();
    const login = await roleIn(owner);
    const folder = await mkdtemp(path.join(tmpdir(), 'campaign-password-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = path.join(folder, 'passwords');
    const write = (password: string) => writeFile(file, `*:*:*:*:${password}\n`, { mode: 0o600 });
    const url = new URL(login.url);
    url.password = '';
    const said = `(the password is from ${file}, which is read again for each connection)`;

    await write('canary-wrong-8Zq');
    const first = connectionTo(url.href, { PGPASSFILE: file });
    const refused = (await first.query('select').catch((error: unknown) => error)) as Error;
    expect(refused).toMatchObject({ isPassing: false, code: '28P01' });
    expect(refused.message).toContain(said);
    expect(refused.message).not.toContain('canary');

    await write('canary-first-8Zq');
    expect(await first.query('select 1 as one')).toEqual([{ one: 1 }]);
    await login.refuse();
    await expect(first.query('select')).rejects.toMatchObject({ isPassing: true });
    for (const { query } of [first, first.again()]) {
      const again = (await query('select').catch((error: unknown) => error)) as Error;
      expect(again).toMatchObject({ isPassing: true, code: '28P01' });
      expect(again.message).toContain(said);
    }
    await rm(file);
    await expect(first.query('select')).rejects.toThrow(`PGPASSWORD is not set, and ${file} is not there`);
    await write('canary-second-8Zq');
    expect(await first.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});
