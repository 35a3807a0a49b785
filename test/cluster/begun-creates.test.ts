/** Before each create it is asked which others were begun: of a run of very many nodes only those few are looked at. */
import { expect, it, onTestFinished } from 'vitest';
import { createConnection, type Query } from '../../src/store/postgres/connection.ts';
import { queueOf } from '../../src/store/postgres/queue.ts';
import { endLost } from '../../src/store/postgres/settle-nodes.ts';
import { conceptNode, uploadNode } from '../support/planned-nodes.ts';
import { hasPostgres, runSql } from '../support/postgres.ts';
import { databaseOf, shareOf } from './two-processes.ts';

const OPEN_NODES = 5_000;

it.runIf(hasPostgres)('what was begun is found by an index, and not among all open nodes', async () => {
  const { both, url } = await shareOf([conceptNode('c'), uploadNode('a')]);
  const [run, other] = both;
  if (!run || !other) throw new Error('there are two');
  onTestFinished(async () => void (await Promise.all(both.map((each) => each.close()))));
  expect((await run.claim({ wanted: 8, busy: 0 })).claimed).toHaveLength(2);
  await runSql(
    url,
    `insert into campaign.node (run, address, place, kind, depends_on, planned)
      select $1, 'upload/' || n, n + 10, 'upload', '{}', '{}' from generate_series(1, $2::int) n`,
    [run.id, OPEN_NODES],
  );
  // Nobody waits for posts, and creates had no answer: then all is asked that may be.
  await runSql(url, 'update campaign.run set polls = false, generating = 1 where id = $1', [run.id]);
  await runSql(url, `update campaign.account set ambiguous = 1, trial_at = '-infinity'`);
  await runSql(url, 'analyze campaign.node');
  const queue = queueOf(run.id);
  const create = await createOf(url, queue);
  const asking: Record<string, (query: Query) => Promise<unknown>> = {
    inFlight: (query) => query('select * from campaign.posts_in_flight($1)', [run.id]),
    lost: (query) => query('select campaign.has_lost_creates($1, $2)', [run.id, queue]),
    begin: (query) => query('select * from campaign.begin_creates($1, $2, $3)', [run.id, queue, create]),
    end: (query) => endLost(query, run.id),
  };
  const connection = createConnection(databaseOf(url));
  onTestFinished(() => connection.close());
  for (const [what, ask] of Object.entries(asking)) {
    const seen = await connection.transaction(async (query) => {
      const before = await nodesRead(query);
      await ask(query);
      return (await nodesRead(query)) - before;
    });
    expect(seen, what).toBeLessThan(OPEN_NODES / 100);
  }
});

/**
 * How many nodes this connection has read. Postgres passes these counts on once a second at most, so those of the
 * transactions just before are among them.
 */
async function nodesRead(query: Query): Promise<number> {
  const [row] = await query(
    `select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relid = 'campaign.node'::regclass`,
  );
  return Number(row?.['n'] ?? 0);
}

/** The create of a node that this run has claimed and not begun. */
async function createOf(url: string, queue: string): Promise<string> {
  const [job] = await runSql(
    url,
    `select data ->> 'address' as address, id as job, retry_count as retry, 0 as posts, '0' as cost
      from campaign_queue.job where name = $1 and state = 'active' and data ->> 'address' = 'upload/a'`,
    [queue],
  );
  return JSON.stringify([job]);
}
