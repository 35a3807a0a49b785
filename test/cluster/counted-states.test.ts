/** What states have spent is told by each process that has read their logs, its own state first. */
import { expect, it, onTestFinished } from 'vitest';
import type { SharedBudget } from '../../src/store/shared-run.ts';
import { countIn } from '../../src/store/postgres/begin-shared.ts';
import { createConnection, type Query } from '../../src/store/postgres/connection.ts';
import { migrate } from '../../src/store/postgres/schema.ts';
import { deferred } from '../../src/util/deferred.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { databaseOf } from './two-processes.ts';

const BEGIN = `
  with log as (
    insert into campaign.campaign (name, environment, base_url, lineage, header)
      values ($1, 'default', 'http://127.0.0.1', $1, '{}') returning id
  )
  insert into campaign.run (campaign, run, command, host, pid) select id, $1, 'campaign apply', 'here', 1 from log
    returning id::int`;
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

it.runIf(hasPostgres)('two processes of one account do so at the same time', async () => {
  const url = await makeDatabase();
  const connect = () => {
    const connection = createConnection(databaseOf(url));
    onTestFinished(() => connection.close());
    return connection;
  };
  const [one, other] = [connect(), connect()];
  expect(await migrate(one, { name: 'x' })).toMatchObject({ ok: true });
  const countFor = async (own: string, others: string) => {
    const [run] = await runSql(url, BEGIN, [own]);
    const months = new Map([['2026-01', { posts: 1, cost: 0n }]]);
    const states = [own, others].map((lineage) => ({ lineage, months }));
    const budget: SharedBudget = { limits: [], run: { posts: 1, cost: 0n }, states };
    return (query: Query) => countIn(query, { run: Number(run?.['id']), account: 'theirs' }, budget);
  };
  const counts = [await countFor('a', 'b'), await countFor('b', 'a')] as const;
  for (const count of counts) expect(await one.transaction(count)).toBe(true);
  const [comes, goes] = [deferred<void>(), deferred<void>()];
  const halfway = one.transaction((query) =>
    counts[0](async (text, values) => {
      if (!text.startsWith('insert into campaign.spent')) return query(text, values);
      comes.resolve();
      await goes.promise;
      return query(text, values);
    }),
  );
  await comes.promise;
  const beside = other.transaction(counts[1]);
  await expect.poll(() => runSql(url, WAITING)).toHaveLength(1);
  goes.resolve();
  expect(await Promise.all([halfway, beside])).toEqual([true, true]);
  expect(await runSql(url, 'select state, posts from campaign.spent order by 1')).toEqual([
    { state: 'a', posts: 1 },
    { state: 'b', posts: 1 },
  ]);
});
