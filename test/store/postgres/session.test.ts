/** What a machine that stops, or is cut off, in the middle of a transaction keeps from others, and for how long. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConnection } from '../../../src/store/postgres/connection.ts';
import { databaseAt } from '../../../src/store/postgres/database-url.ts';
import { createLook } from '../../../src/store/postgres/look.ts';
import { deferred } from '../../../src/util/deferred.ts';
import { ok } from '../../../src/util/result.ts';
import { hasPostgres, makeDatabase, nobodyIsConnected, runSql } from '../../support/postgres.ts';

async function connectionTo(url: string, manner?: Parameters<typeof createConnection>[1]) {
  const database = databaseAt(url, {});
  if (!database.ok) throw new Error(database.error.detail);
  const connection = createConnection(database.value, manner);
  onTestFinished(() => connection.close());
  return connection;
}

describe.runIf(hasPostgres)('a session of campaign', () => {
  it('asks the server to end it where the machine is frozen or gone, also where the server has other settings', async () => {
    const url = await makeDatabase();
    await runSql(
      url,
      `do $$ declare setting text; begin
        foreach setting in array array['idle_in_transaction_session_timeout = 0', 'synchronous_commit = off', 'jit = on',
          'statement_timeout = 3600000', 'standard_conforming_strings = off', 'idle_session_timeout = 3600000',
          'default_transaction_isolation = serializable'] loop
          execute format('alter database %I set ', current_database()) || setting;
        end loop; end $$`,
    );
    const { query } = await connectionTo(url);
    const rows = await query(
      `select name, current_setting(name) as value from pg_settings
        where name ~ '^tcp_(user|keepalives_i)|^idle_in_transaction|^lock_timeout|^(synchronous_commit|jit|statement_timeout|standard_conforming_strings|idle_session_timeout|transaction_isolation)$'`,
    );
    expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual({
      idle_in_transaction_session_timeout: '5s',
      idle_session_timeout: '0',
      jit: 'off',
      lock_timeout: '10s',
      standard_conforming_strings: 'on',
      statement_timeout: '0',
      synchronous_commit: 'on',
      tcp_keepalives_idle: '10',
      tcp_keepalives_interval: '5',
      tcp_user_timeout: '15000',
      transaction_isolation: 'read committed',
    });
  });

  it('loses its locks within seconds where it stands still in a transaction, and what it had changed in it', async () => {
    const url = await makeDatabase();
    await runSql(url, 'create table kept (n int); insert into kept values (1)');
    const frozen = await connectionTo(url);
    const transaction = frozen.transaction(async (query) => {
      await query('update kept set n = 2');
      // Another one waits for the row, and gets it.
      expect(await runSql(url, 'update kept set n = n + 10 returning n')).toEqual([{ n: 11 }]);
      await query('update kept set n = 3');
    });
    await expect(transaction).rejects.toMatchObject({ isPassing: true });
    // It goes on in a new one.
    expect(await frozen.query('select n from kept')).toEqual([{ n: 11 }]);
  });

  it('that looks at a state again and again ends for good, also where a look is under way', async () => {
    const url = await makeDatabase();
    const database = databaseAt(url, {});
    if (!database.ok) throw new Error(database.error.detail);
    const looks = createLook({ database: database.value, file: 'state' });
    const leave = looks.stayConnected();
    const [asked, held] = [deferred<void>(), deferred<void>()];
    const looking = looks.look(async ({ query }) => {
      await query('select');
      asked.resolve();
      await held.promise;
      return ok(await query('select 1 as one'));
    });
    await asked.promise;
    const left = leave();
    // Whatever that does at once is done.
    await looks.look(async ({ query }) => ok(await query('select')));
    held.resolve();
    expect(await looking).toEqual(ok([{ one: 1 }]));
    await left;
    await nobodyIsConnected(url);
  });

  describe('in which the same is asked again and again', () => {
    const PLANNED = 'select statement from pg_prepared_statements';

    it('has the server plan it once', async () => {
      const { query } = await connectionTo(await makeDatabase(), { isRepeating: true });
      for (const n of [1, 2]) expect(await query('select $1::int as n', [n])).toEqual([{ n }]);
      expect(await query(PLANNED)).toEqual([{ statement: 'select $1::int as n' }]);
    });

    it('goes on without that where the server does not know it any more, as behind a pool of connections', async () => {
      const { query } = await connectionTo(await makeDatabase(), { isRepeating: true });
      await query('select $1::int as n', [1]);
      await query('deallocate all');
      await expect(query('select $1::int as n', [2])).rejects.toMatchObject({ isPassing: true });
      expect(await query('select $1::int as n', [3])).toEqual([{ n: 3 }]);
      expect(await query(PLANNED)).toEqual([]);
    });
  });
});
