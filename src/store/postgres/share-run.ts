/** Makes the run of one process a shared one, or takes part in one. */
import type { FatalProblem } from '../../model/problem.ts';
import type { JsonObject } from '../../util/json.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { LogHeader } from '../file/header.ts';
import { loadLog } from '../file/load-log.ts';
import { createSeenHeads, type SeenHeads } from '../known-head.ts';
import type { OpenRun, SharedRun, Sharing } from '../shared-run.ts';
import { type Connection, createConnection } from './connection.ts';
import { DatabaseError } from './database-error.ts';
import { beginShared, meetAccount, setSpent } from './begin-shared.ts';
import type { Database } from './database-url.ts';
import { PATIENCE_MS } from './job-claims.ts';
import { createPatience } from './patience.ts';
import { endQueueOf, JOB_OPTIONS, openQueue, queueOf, within } from './queue.ts';
import { type Known, splitOf } from './load-rows.ts';
import { logInRows } from './log-lines.ts';
import { insertNodes, prepareJobs } from './shared-nodes.ts';
import { PostgresRun } from './shared-run.ts';
import type { Joining, Means } from './joining.ts';
import { whyOver } from './run-lock.ts';

type Shared = Omit<Joining, 'spec'>;

/**
 * All of it or nothing, in one transaction: the log still ends where the plan was made from, and the run is still that of
 * the process that has planned it.
 */
export async function shareRun(database: Database, from: Shared, sharing: Sharing): Promise<PostgresRun> {
  const means = await meansOf(database);
  const { boss } = means;
  const loading = createConnection(database, { queryMs: LOADING_MS });
  try {
    await removeOldRuns({ ...means, asking: loading }, from.campaign);
    for (const name of [queueOf(from.run), endQueueOf(from.run)]) await boss.createQueue(name);
    const insertJobs = await prepareJobs({ boss, run: from.run }, sharing.nodes);
    const handedOver = loading.transaction(async (query) => {
      await query(`set local idle_in_transaction_session_timeout = '60s'`);
      const [log] = await query(
        'select head_seq::float8 as head from campaign.campaign where id = $1 for update',
        [from.campaign],
      );
      const begun = await beginShared(query, from.run, sharing);
      if (!begun || Number(log?.['head']) !== from.chain.seq) throw await whyOver({ query }, from.run);
      await insertNodes({ query, run: from.run }, sharing.nodes);
      await insertJobs(query);
      await boss.send(endQueueOf(from.run), {}, { ...JOB_OPTIONS, db: within(query) });
      const whose = { run: from.run, account: sharing.account };
      if (sharing.budget) await setSpent(query, whose, sharing.budget.states);
      await meetAccount(query, whose);
    });
    await handedOver.catch(async (error: unknown) => {
      if (!(await isShared(loading, from, error))) throw error;
    });
    // Without figures about the new rows, 100,000 nodes took three times as long.
    await loading.query(ANALYZE).catch(() => undefined);
    return new PostgresRun(means, { ...from, spec: sharing.spec });
  } catch (error) {
    await close(means);
    throw error;
  } finally {
    await loading.close();
  }
}

/** Whether all of it is there although the answer to the commit was lost: then others may work at it already. */
async function isShared(
  { query }: Connection,
  { run, clock, waits }: Shared,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof DatabaseError && error.isPassing)) return false;
  // Waits until the server has come to an end with that transaction.
  const asked = () =>
    query('select shared is not null as there from campaign.run where id = $1 for update', [run]);
  const [row] = await createPatience({ clock, longestMs: PATIENCE_MS, waits })(asked);
  return row?.['there'] === true;
}

/** Of a run with very many nodes, one statement takes as long as it takes to send and to store them. */
const LOADING_MS = 600_000;
/** Who is not the owner of a table is warned, and its figures come later by themselves. */
const ANALYZE = 'analyze campaign.node, campaign_queue.job_common, campaign_queue.job_dependency';

interface Part extends Pick<Joining, 'run' | 'clock' | 'kinds' | 'keeping' | 'waits' | 'leave'> {
  readonly seen?: SeenHeads;
  /** Asked before the log is read; without it, the log is taken as it is. */
  readonly known?: Known | undefined;
}

/** Undefined where the run has ended meanwhile. */
export async function takePart(
  database: Database,
  joining: Part,
): Promise<Result<SharedRun | undefined, FatalProblem>> {
  const means = await meansOf(database);
  let joined: Result<SharedRun | undefined, FatalProblem> | undefined;
  try {
    joined = await join(means, { database, ...joining });
    return joined;
  } finally {
    if (!joined?.ok || !joined.value) await close(means);
  }
}

async function join(
  means: Means,
  { database, known, seen = createSeenHeads(), ...joining }: Part & { readonly database: Database },
): Promise<Result<SharedRun | undefined, FatalProblem>> {
  const [row] = await means.asking.query(
    `select r.campaign::float8 as campaign, r.run, r.shared, c.header
      from campaign.run r join campaign.campaign c on c.id = r.campaign
      where r.id = $1 and r.ended_at is null and r.shared is not null`,
    [joining.run],
  );
  if (!row) return ok(undefined);
  const campaign = Number(row['campaign']);
  const header = String(row['header']);
  const { seq: after = 0 } = JSON.parse(header) as { readonly seq?: number };
  const loaded = await loadLog(logInRows(means.asking, { campaign, header, after }), {
    file: database.name,
  });
  if (!loaded.ok) return loaded;
  const split = known && splitOf(database, loaded.value, known);
  if (split) return err(split);
  const { state, runs, reading, boundAt = '' } = loaded.value;
  return ok(
    new PostgresRun(means, {
      ...joining,
      campaign,
      boundAt,
      seen,
      runId: String(row['run']),
      spec: row['shared'] as JsonObject,
      chain: reading.chain,
      state,
      runs,
      header: loaded.value.header as LogHeader,
    }),
  );
}

/** Runs that others may take part in, the oldest first. */
export async function sharedRuns({ query }: Pick<Connection, 'query'>): Promise<readonly OpenRun[]> {
  const rows = await query(
    'select id::int, account, shared from campaign.run where shared is not null and ended_at is null order by id',
  );
  return rows.map(({ id, account, shared }) => ({
    id: Number(id),
    account: String(account),
    spec: shared as JsonObject,
  }));
}

async function meansOf(database: Database): Promise<Means> {
  const writing = createConnection(database, { isRepeating: true });
  const asking = createConnection(database, { settings: FEW_ROWS, isRepeating: true });
  try {
    return { writing, asking, boss: await openQueue(asking.query) };
  } catch (error) {
    await writing.close();
    await asking.close();
    throw error;
  }
}

/**
 * What is asked again and again concerns a few rows out of very many. The queue's statement that looks for jobs that may
 * start could concern a thousand, for all that Postgres knows, and then it would read both tables as a whole.
 */
const FEW_ROWS = ['enable_seqscan = off', 'enable_hashjoin = off', 'enable_mergejoin = off'];

async function close({ writing, asking, boss }: Means): Promise<void> {
  await boss.stop({ graceful: false });
  await asking.close();
  await writing.close();
}

/** What earlier runs of the campaign needed while they went on. */
async function removeOldRuns({ asking, boss }: Means, campaign: number): Promise<void> {
  const old = await asking.query(
    `select id::int from campaign.run r where campaign = $1 and shared is not null and ended_at is not null
      and exists (select from campaign.node n where n.run = r.id)`,
    [campaign],
  );
  for (const { id } of old) {
    const run = Number(id);
    for (const name of [queueOf(run), endQueueOf(run)]) await boss.deleteQueue(name);
    await asking.query('delete from campaign_queue.job_dependency where child_name = $1', [queueOf(run)]);
    await asking.query('delete from campaign.part where run = $1', [run]);
    await asking.query('delete from campaign.told where run = $1', [run]);
    await asking.query('delete from campaign.node where run = $1', [run]);
  }
}
