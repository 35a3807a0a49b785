/** Who comes while the first run of a campaign begins its log: the file beside the manifest is not there yet. */
import { rm } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConnection, type Query } from '../../../src/store/postgres/connection.ts';
import { findLog, rowToBegin } from '../../../src/store/postgres/find-log.ts';
import { encodeHeader } from '../../../src/store/file/header.ts';
import { LEASE_MS } from '../../../src/store/postgres/place.ts';
import { writePointer } from '../../../src/store/file/pointer.ts';
import { createPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { beginRun } from '../../../src/store/postgres/run-lock.ts';
import { migrate } from '../../../src/store/postgres/schema.ts';
import { createSeenHeads } from '../../../src/store/known-head.ts';
import { makeWorkFolder, statePaths } from '../../../src/store/file/work-folder.ts';
import { realClock } from '../../../src/util/clock.ts';
import { databaseOf, INTENT, writeInto } from '../../cluster/two-processes.ts';
import { NO_WITNESSES } from '../../support/no-witnesses.ts';
import { hasPostgres, makeDatabase, runSql } from '../../support/postgres.ts';
import { IDENTITY } from '../file/sample-log.ts';
import { makePlace } from '../file/state-place.ts';

const { line, header, crc } = encodeHeader('lineage-1', IDENTITY);

async function scene() {
  const { folder, file } = await makePlace();
  onTestFinished(() => rm(folder, { recursive: true }));
  const url = await makeDatabase();
  const database = databaseOf(url);
  const store = createPostgresStore({ database, file, identity: IDENTITY, witnesses: NO_WITNESSES });
  const connection = createConnection(database);
  onTestFinished(() => connection.close());
  const command = 'campaign db migrate';
  expect(await migrate(connection, { name: command })).toMatchObject({ ok: true });
  const campaign = await rowToBegin(connection, IDENTITY);
  const place = {
    name: 'the database',
    url,
    paths: statePaths(file),
    identity: IDENTITY,
    witnesses: NO_WITNESSES,
    seen: createSeenHeads(),
  };
  const begin = () =>
    runSql(url, 'update campaign.campaign set lineage = $2, header = $3 where id = $1', [
      campaign,
      header.lineage,
      line.trimEnd(),
    ]);
  const record = () => runSql(url, 'update campaign.campaign set head_seq = 1 where id = $1', [campaign]);
  return { store, connection, campaign, place, begin, record };
}

describe.runIf(hasPostgres)('a log that its first run begins', () => {
  it('is waited for, and read as one without records', async () => {
    const { store, connection, campaign, begin } = await scene();
    const locking = { lockTimeoutMs: 0, clock: realClock, command: 'campaign apply' };
    const run = await beginRun(connection, {
      ...locking,
      name: '',
      campaign,
      runId: 'run-1',
      leaseMs: LEASE_MS,
    });
    if (!run.ok) throw new Error(run.error.detail);
    await begin();
    const write = () => store.write({ ...locking, runId: 'run-2', newLineage: () => 'lineage-2' });
    expect(await write()).toMatchObject({ ok: false, error: { code: 'state-locked', exit: 75 } });
    expect(await store.read()).toMatchObject({ ok: true, value: { warnings: [] } });
    // It dies before its first record: nothing is lost with it.
    await run.value.release();
    expect(await writeInto(store, [INTENT])).toEqual([]);
    expect(await store.read()).toMatchObject({ ok: true });
  });

  it('is that of a file which has come beside the manifest while it was looked for', async () => {
    const { connection, place, begin, record } = await scene();
    await begin();
    await record();
    await runSql(
      place.url,
      `insert into campaign.run (campaign, run, command, host, pid) select id, 'run-1', 'apply', 'here', 1 from campaign.campaign`,
    );
    expect(await findLog(connection, place, 'own')).toMatchObject({
      ok: false,
      error: { code: 'state-elsewhere' },
    });
    await makeWorkFolder(place.paths.work);
    const query: Query = async (text, values) => {
      const rows = await connection.query(text, values);
      await writePointer(place.paths, { header, to: place.name, end: { seq: 0, crc } });
      return rows;
    };
    expect(await findLog({ ...connection, query }, place, 'own')).toMatchObject({
      ok: true,
      value: { lineage: header.lineage },
    });
  });
});
