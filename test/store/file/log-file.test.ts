import type { FileHandle } from 'node:fs/promises';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { logFileOf } from '../../../src/store/file/log-writer.ts';
import { makePlace } from './state-place.ts';

it('the file of a handle does what the handle does', async () => {
  const calls: unknown[] = [];
  const handle = new Proxy({} as FileHandle, {
    get:
      (_, name) =>
      (...args: unknown[]) => {
        calls.push([name, ...args]);
        return Promise.resolve({ bytesWritten: 3 });
      },
  });
  const file = logFileOf(handle, 'unused', 'unused');
  const bytes = Buffer.from('abc');
  expect(await file.write(bytes, 1)).toEqual({ bytesWritten: 3 });
  await file.datasync();
  await file.truncate(7);
  await file.close();
  expect(calls).toEqual([['write', bytes, 1], ['datasync'], ['truncate', 7], ['close']]);
});

it('what the disk says is not taken for a log that was deleted, and nothing is kept aside', async () => {
  const { folder, file } = await makePlace();
  const handle = await fs.open(file, 'a');
  const log = logFileOf(handle, path.join(file, 'below'), path.join(folder, 'aside'));
  await expect(log.verify(0)).rejects.toThrow('ENOTDIR');
  expect(await fs.readdir(folder)).toEqual([path.basename(file)]);
  await log.close();
  await fs.rm(folder, { recursive: true });
});
