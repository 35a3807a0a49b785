import type { FileHandle } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { logFileOf } from '../../src/state/log-writer.ts';

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
