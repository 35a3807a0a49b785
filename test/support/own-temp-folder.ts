/**
 * Each file of tests has a temporary folder of its own, which goes with it. The first apply of a campaign looks for its
 * state in the folders around it: there it would read what other tests write at the same time, or have left behind.
 */
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const before = process.env['TMPDIR'];
const folder = mkdtempSync(join(tmpdir(), 't-'));
// Some tests run the command as another user.
chmodSync(folder, 0o1777);
process.env['TMPDIR'] = folder;

afterAll(async () => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});
