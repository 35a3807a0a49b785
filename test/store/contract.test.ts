import { rm } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { createFileStore } from '../../src/store/file/file-store.ts';
import { NO_WITNESSES } from '../support/no-witnesses.ts';
import { createMemoryPlace, createMemoryStore } from '../support/memory-store.ts';
import { storeContract } from './contract.ts';
import { IDENTITY } from './file/sample-log.ts';
import { makePlace } from './file/state-place.ts';

storeContract('in a file', async () => {
  const { folder, file } = await makePlace();
  onTestFinished(() => rm(folder, { recursive: true }));
  return (identity = IDENTITY) => createFileStore({ file, identity, witnesses: NO_WITNESSES });
});

storeContract('in memory', () => {
  const place = createMemoryPlace();
  return Promise.resolve((identity = IDENTITY) => createMemoryStore(place, { identity }));
});
