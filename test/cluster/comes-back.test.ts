/** A process that was frozen, or cut off, until its run had ended without it, and the next one of the campaign had begun. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createConnection, type Query } from '../../src/store/postgres/connection.ts';
import { DatabaseError } from '../../src/store/postgres/database-error.ts';
import { openQueue } from '../../src/store/postgres/queue.ts';
import { takePart } from '../../src/store/postgres/share-run.ts';
import { takeSeat } from '../../src/store/postgres/worker-seat.ts';
import { realClock } from '../../src/util/clock.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { conceptNode, uploadNode } from '../support/planned-nodes.ts';
import { hasPostgres, runSql } from '../support/postgres.ts';
import { CREATED, databaseOf, endWithoutOthers, INTENT, shareOf } from './two-processes.ts';

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

  it('keeps the answer of its create in a file at once, which is taken up after that run', async () => {
    const { both, share, store, url } = await shareOf([conceptNode('c')]);
    const [apply, other] = both;
    if (!apply || !other) throw new Error('there are two');
    await other.close();
    const folder = await mkdtemp(path.join(tmpdir(), 'campaign-comes-back-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    // Time stands still: it waits for nobody.
    const joining = {
      run: apply.id,
      clock: createManualClock(),
      keeping: { work: path.join(folder, '.campaign') },
    };
    const joined = await takePart(databaseOf(url), joining);
    if (!joined.ok || !joined.value) throw new Error('it does not take part');
    const late = joined.value;
    expect((await late.claim({ wanted: 4, busy: 0 })).claimed).toHaveLength(1);
    await late.recorder.append([INTENT]);
    await endWithoutOthers(url, apply);
    await apply.close();
    const next = await share([uploadNode('b')], 'run-2');

    await expect(late.recorder.append([CREATED])).rejects.toMatchObject({
      name: 'StateWriteError',
      keptIn: expect.stringContaining(path.join(folder, '.campaign', 'errored-')) as string,
    });
    await late.close();
    const seat = takeSeat(databaseOf(url));
    onTestFinished(() => seat.leave());
    expect(await seat.takeUp(folder, realClock)).toEqual({ ok: true, value: { told: [], left: [] } });
    await endWithoutOthers(url, next);
    await next.close();
    expect(await seat.takeUp(folder, realClock)).toMatchObject({
      ok: true,
      value: { told: [expect.any(String)], left: [] },
    });
    const read = await store.read();
    if (!read.ok) throw new Error(read.error.detail);
    expect(read.value.state.objects.get('concept/c')).toMatchObject({ status: 'done' });
  });
});

describe.runIf(hasPostgres)('a process that begins to take part', () => {
  it('hears of a connection that is lost while the queues are listed, and does not go on without them', async () => {
    const { both, url } = await shareOf([uploadNode('a')]);
    onTestFinished(async () => void (await Promise.all(both.map((run) => run.close()))));
    const connection = createConnection(databaseOf(url));
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
