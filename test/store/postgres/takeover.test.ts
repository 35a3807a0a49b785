/** One writer at a time, whatever becomes of it: it dies, it is frozen, it loses its connection. */
import { rm } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StateEvent } from '../../../src/model/state-event.ts';
import { databaseAt } from '../../../src/store/postgres/database-url.ts';
import { createPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import type { WritableState, Writing } from '../../../src/store/store.ts';
import { type Clock, realClock } from '../../../src/util/clock.ts';
import { intent } from '../../log/fold-events.ts';
import { NO_WITNESSES } from '../../support/no-witnesses.ts';
import { hasPostgres, makeDatabase, runSql } from '../../support/postgres.ts';
import { AT, IDENTITY } from '../file/sample-log.ts';
import { makePlace } from '../file/state-place.ts';

const LEASE_MS = 400;
/** So long that nobody is taken for dead on a busy machine. */
const PATIENT_MS = 600_000;

const RUN: Writing = {
  lockTimeoutMs: 0,
  clock: realClock,
  runId: 'run-1',
  command: 'campaign apply',
  newLineage: () => 'lineage-1',
};

/** Of a process that gets no turn any more: nothing that waits for a time ever happens. */
const FROZEN: Clock = { ...realClock, after: () => () => undefined };

const begun = (command: string): StateEvent => ({
  type: 'run-started',
  at: AT,
  command,
  version: '1',
  manifest: 'm',
  by: 'anna@studio',
});
const intentFor = (address: string) => ({ ...intent(address), at: AT }) as StateEvent;
const INTENT = intentFor('product/tote');
const CREATED: StateEvent = { type: 'created', at: AT, address: 'product/tote', result: { id: 'p-1' } };

async function place() {
  const { folder, file } = await makePlace();
  onTestFinished(() => rm(folder, { recursive: true }));
  const url = await makeDatabase();
  const database = databaseAt(url, {});
  if (!database.ok) throw new Error(database.error.detail);
  const options = { database: database.value, file, identity: IDENTITY, witnesses: NO_WITNESSES };
  return { url, file, open: (leaseMs = LEASE_MS) => createPostgresStore({ ...options, leaseMs }) };
}

async function written(
  opening: ReturnType<ReturnType<typeof createPostgresStore>['write']>,
): Promise<WritableState> {
  const opened = await opening;
  if (!opened.ok) throw new Error(opened.error.detail);
  onTestFinished(() => opened.value.close().catch(() => undefined));
  return opened.value;
}

describe.runIf(hasPostgres)('a run in a database (scenario 41)', () => {
  it('is taken over when it was silent for a lease: then nothing more of it is taken, and its answers come later', async () => {
    const { open, url } = await place();
    const frozen = await written(open().write({ ...RUN, clock: FROZEN, begin: begun('apply') }));
    await frozen.recorder.append([INTENT]);
    expect(await open(PATIENT_MS).write(RUN)).toMatchObject({ ok: false, error: { code: 'state-locked' } });

    const next = await written(
      open().write({ ...RUN, runId: 'run-2', begin: begun('apply'), lockTimeoutMs: 20_000 }),
    );
    expect(next.unended).toMatchObject({ run: 'run-1' });
    expect(next.state.objects.get('product/tote')).toMatchObject({ status: 'unknown' });
    await next.recorder.append([{ type: 'learned', at: AT, name: 'a', value: 'b' }]);

    // It wakes up: the intent of another create is refused, so that is not sent; the answer that came is kept.
    await expect(frozen.recorder.append([intentFor('product/mug')])).rejects.toThrow(
      'another one has taken over',
    );
    await expect(frozen.recorder.append([CREATED])).rejects.toThrow('another one has taken over');
    await frozen.close();
    expect(await open(PATIENT_MS).holder()).toContain('campaign apply');
    await next.close();
    const ended = await runSql(url, 'select ended_how from campaign.run order by id');
    expect(ended.map((row) => row['ended_how'])).toEqual(['lost', 'ended']);

    const waiting = await open().read();
    expect(waiting.ok && waiting.value.warnings).toEqual([expect.stringContaining('the rest waits in')]);
    const third = await written(open().write({ ...RUN, runId: 'run-3' }));
    expect(third.warnings).toEqual([expect.stringContaining('was taken in from')]);
    expect(third.state.objects.get('product/tote')).toMatchObject({ status: 'done', result: { id: 'p-1' } });
    expect(third.state.objects.get('product/mug')).toBeUndefined();
    await third.close();
  });

  it('goes on after it lost its connection, and is open still', async () => {
    const { open, url } = await place();
    const state = await written(open().write({ ...RUN, begin: begun('apply') }));
    await state.recorder.append([INTENT]);
    // The database waits until the connection is gone.
    await runSql(
      url,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where application_name = 'campaign' and datname = current_database()`,
    );
    await state.recorder.append([CREATED]);
    expect(await open(PATIENT_MS).holder()).toContain('campaign apply');
    expect(await open(PATIENT_MS).write(RUN)).toMatchObject({ ok: false, error: { code: 'state-locked' } });
    await state.close();
    const [counted] = await runSql(
      url,
      'select count(*)::int as n, max(seq)::int as last from campaign.event',
    );
    expect(counted).toEqual({ n: 3, last: 3 });
  });

  it('does not add what is there already, when an answer of the database was lost', async () => {
    const { open, url } = await place();
    const state = await written(open().write(RUN));
    await state.recorder.append([INTENT]);
    const [row] = await runSql(url, 'select line from campaign.event');
    const again = `select campaign.append(1, 1, 0, array[$1]) as came`;
    expect(await runSql(url, again, [row?.['line']])).toEqual([{ came: 'written' }]);
    expect(await runSql(url, again, ['other'])).toEqual([{ came: 'apart' }]);
    expect(await runSql(url, 'select count(*)::int as n from campaign.event')).toEqual([{ n: 1 }]);
    await state.close();
    expect(await runSql(url, again, ['other'])).toEqual([{ came: 'lost' }]);
  });
});
