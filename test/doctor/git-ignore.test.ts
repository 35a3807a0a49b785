import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { gitIgnore } from '../../src/doctor/files/state.ts';
import { contextOf } from './context.ts';

it('a pipe in the place of .gitignore is not waited for: nothing keeps .campaign/ out of git', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const context = { ...contextOf(), workFolder: join(folder, '.campaign') };
  expect(await gitIgnore.look(context)).toMatchObject({ status: 'ok' });
  const ignore = join(folder, '.campaign', '.gitignore');
  await mkdir(join(folder, '.campaign'));
  await promisify(execFile)('mkfifo', [ignore]);
  expect(await gitIgnore.look(context)).toMatchObject({
    status: 'warning',
    action: `Make \`*\` its only line: ${ignore}`,
  });
});
