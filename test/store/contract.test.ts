import { rm } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { createFileStore } from '../../src/store/file/file-store.ts';
import { databaseAt } from '../../src/store/postgres/database-url.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { NO_WITNESSES } from '../support/no-witnesses.ts';
import { createMemoryPlace, createMemoryStore } from '../support/memory-store.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { storeContract } from './contract.ts';
import { IDENTITY } from './file/sample-log.ts';
import { makePlace } from './file/state-place.ts';

storeContract('in a file', async () => {
  const { folder, file } = await makePlace();
  onTestFinished(() => rm(folder, { recursive: true }));
  return (identity = IDENTITY) => createFileStore({ file, identity, witnesses: NO_WITNESSES });
});

/** One for all tests of the suite, emptied before each: a new one takes longer than a test. */
let database: Promise<string> | undefined;

if (hasPostgres)
  storeContract('in Postgres', async () => {
    const { folder, file } = await makePlace();
    const url = await (database ??= makeDatabase());
    await runSql(
      url,
      `do $$ begin if to_regclass('campaign.event') is not null then truncate campaign.campaign, campaign.event, campaign.run cascade; end if; end $$`,
    );
    onTestFinished(() => rm(folder, { recursive: true }));
    return (identity = IDENTITY) => {
      const found = databaseAt(url, {});
      if (!found.ok) throw new Error(found.error.detail);
      return createPostgresStore({ database: found.value, file, identity, witnesses: NO_WITNESSES });
    };
  });

storeContract('in memory', () => {
  const place = createMemoryPlace();
  return Promise.resolve((identity = IDENTITY) => createMemoryStore(place, { identity }));
});
