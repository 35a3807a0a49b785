/** A process that was frozen, or cut off, until its run had ended without it, and the next one of the campaign had begun. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import { createConnection, type Query } from '../../src/store/postgres/connection.ts';
import { DatabaseError } from '../../src/store/postgres/database-error.ts';
import { databaseAt } from '../../src/store/postgres/database-url.ts';
import { openQueue } from '../../src/store/postgres/queue.ts';
import { intent } from '../log/fold-events.ts';
import { AT } from '../store/file/sample-log.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { conceptNode, uploadNode } from '../support/planned-nodes.ts';
import { hasPostgres, runSql } from '../support/postgres.ts';
import { endWithoutOthers, shareOf } from './two-processes.ts';

const INTENT = { ...intent('concept/c'), at: AT } as StateEvent;

describe.runIf(hasPostgres)('a process that comes back after the next run has begun', () => {
  it('finds nothing of its run, neither jobs nor their queue, and has nothing to do', async () => {
    // The queue would look every minute which queues there are.
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const clock = createManualClock();
    const { both, share, url } = await shareOf([conceptNode('c'), uploadNode('a')], { second: clock });
    const [apply, other] = both;
    if (!apply || !other) throw new Error('there are two');
    expect((await other.claim({ wanted: 4, busy: 0 })).claimed).toHaveLength(2);
    await other.recorder.append([INTENT]);
    await endWithoutOthers(url, apply);
    await apply.close();
    const next = await share([uploadNode('b')], 'run-2');
    const queues = await runSql(url, `select from campaign_queue.queue where name = $1`, [`run-${other.id}`]);
    expect(queues).toEqual([]);

    await vi.advanceTimersByTimeAsync(60_000);
    await other.look();
    await clock.advance(3_000);
    expect(await other.claim({ wanted: 4, busy: 1 })).toMatchObject({ claimed: [], isOver: true });
    await other.handBack(['upload/a']);
    expect(await other.end('concept/c', 'put-off')).toBe(false);
    await other.close();
    expect((await next.claim({ wanted: 4, busy: 0 })).claimed).toHaveLength(1);
    await next.close();
  });
});

describe.runIf(hasPostgres)('a process that begins to take part', () => {
  it('hears of a connection that is lost while the queues are listed, and does not go on without them', async () => {
    const { both, url } = await shareOf([uploadNode('a')]);
    onTestFinished(async () => void (await Promise.all(both.map((run) => run.close()))));
    const database = databaseAt(url, {});
    if (!database.ok) throw new Error(database.error.detail);
    const connection = createConnection(database.value);
    onTestFinished(() => connection.close());
    let lost = 0;
    const cut: Query = (text, values) => {
      if (!/from campaign_queue\.queue\b/i.test(text)) return connection.query(text, values);
      lost += 1;
      return Promise.reject(new DatabaseError('LOST', 'the connection has ended'));
    };
    await expect(openQueue(cut)).rejects.toMatchObject({ name: 'DatabaseError', code: 'LOST' });
    expect(lost).toBe(1);
  });
});
