/** The built command makes the pictures of the quickstart, and a second run has nothing to do. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startCli } from './support/run-cli.ts';

const QUICKSTART = join(import.meta.dirname, '..', 'examples', 'quickstart');

it('the built command makes the pictures of the quickstart, and a second run has nothing to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-smoke-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const isSource = (path: string) => !/\/(?:\.campaign|out)$/.test(path);
  await cp(QUICKSTART, folder, { recursive: true, filter: isSource });
  const apply = () =>
    startCli(['apply', 'campaign.yaml', '--env', 'emulator'], { cwd: folder, env: { HOME: folder } }).end;
  expect(await apply()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Apply complete') as string,
  });
  const files = await readdir(join(folder, 'out'), { recursive: true });
  expect(files.filter((name) => /\.(?:png|jpg|mp4)$/.test(name)).length).toBeGreaterThan(0);
  expect(await apply()).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') as string });
});
