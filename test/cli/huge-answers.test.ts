import { readFile } from 'node:fs/promises';
import { createGzip } from 'node:zlib';
import { expect, it } from 'vitest';
import { startHeldService } from '../support/held-service.ts';
import { campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

const UPLOAD = 'POST /upload-media/';

/** A gzip stream of this many megabytes of spaces, made without holding them. */
async function bomb(megabytes: number): Promise<Buffer> {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const spaces = Buffer.alloc(1 << 20, ' ');
  for (let n = 0; n < megabytes; n++) await new Promise((resolve) => gzip.write(spaces, resolve));
  await new Promise((resolve) => gzip.end(resolve));
  return Buffer.concat(chunks);
}

it('answers of 100 MB and a gzip bomb of 1 GB cost less than 300 MB of memory', async () => {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(SINGLE, service);
  const run = campaign.start(['apply', 'm.yaml']);
  (await service.next(UPLOAD)).respondRaw(200, Buffer.alloc(100 << 20, ' '));
  (await service.next(UPLOAD)).respondRaw(200, await bomb(1024), { 'content-encoding': 'gzip' });
  await service.next(UPLOAD);
  const status = await readFile(`/proc/${run.process.pid}/status`, 'utf8');
  const peakKb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
  run.process.kill('SIGKILL');
  expect(await run.end).toMatchObject({ signal: 'SIGKILL' });
  expect(peakKb).toBeGreaterThan(10_000);
  expect(peakKb).toBeLessThan(300_000);
});
