import * as fs from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { keepAside } from '../../../src/store/file/keep-aside.ts';
import { makePlace } from './state-place.ts';

it('a part of a file is kept whole, however long, for its owner only, and never over another one', async () => {
  const { folder, file } = await makePlace();
  const bytes = Buffer.alloc(3 << 20, 'The quick brown fox jumps over the lazy dog. ');
  await fs.writeFile(file, bytes);
  const handle = await fs.open(file);
  for (const [name, from, to] of [
    ['long', 5, bytes.length - 7],
    ['short', 100, 103],
  ] as const) {
    const target = path.join(folder, name);
    await keepAside(handle, { from, to }, target);
    expect(bytes.subarray(from, to).equals(await fs.readFile(target))).toBe(true);
    expect((await fs.stat(target)).mode & 0o777).toBe(0o600);
    await expect(keepAside(handle, { from: 0, to: 1 }, target)).rejects.toThrow('EEXIST');
  }
  await handle.close();
  await fs.rm(folder, { recursive: true });
});
