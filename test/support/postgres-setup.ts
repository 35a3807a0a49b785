/** Of a whole run of vitest: a folder that its processes share, and the end of the Postgres that one of them started. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function setup(): void {
  // Each project of a run calls it.
  if (process.env['CAMPAIGN_TEST_FOLDER'] !== undefined) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'campaign-tests-'));
  // Postgres does not run as root, and the user that it runs as has to get to its folder.
  chmodSync(folder, 0o755);
  process.env['CAMPAIGN_TEST_FOLDER'] = folder;
}

export async function teardown(): Promise<void> {
  const folder = process.env['CAMPAIGN_TEST_FOLDER'] as string;
  const file = path.join(folder, 'postgres/data/postmaster.pid');
  if (existsSync(file)) {
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    // At once, and without what was not written yet: all of it is thrown away.
    process.kill(pid, 'SIGQUIT');
    await gone(file);
  }
  rmSync(folder, { recursive: true, force: true });
}

/** The last thing that a server does is to remove it. */
async function gone(file: string): Promise<void> {
  const watcher = watch(path.dirname(file));
  await new Promise<void>((resolve) => {
    const look = () => void (existsSync(file) || resolve());
    watcher.on('change', look);
    look();
  });
  watcher.close();
}
