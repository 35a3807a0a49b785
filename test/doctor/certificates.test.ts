import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { certificates } from '../../src/doctor/service/connection.ts';
import { contextOf } from './context.ts';

const mkfifo = (at: string) => promisify(execFile)('mkfifo', [at]);

it.each([
  ['a pipe, which is not waited for', mkfifo, 'is no file that can be read'],
  ['nothing', () => Promise.resolve(), 'is no file that can be read'],
  ['another file', (at: string) => writeFile(at, 'what'), 'holds no certificate'],
])('NODE_EXTRA_CA_CERTS that names %s', async (_, make, why) => {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-certificates-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'ca.pem');
  await make(file);
  const verdict = await certificates.look({ ...contextOf(), env: { NODE_EXTRA_CA_CERTS: file } });
  const summary = `NODE_EXTRA_CA_CERTS names ${file}, which ${why}`;
  expect(verdict).toMatchObject({ status: 'warning', summary });
});
