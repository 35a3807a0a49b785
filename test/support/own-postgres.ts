/** A Postgres server of one test, which may be ended and started again. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { hasPostgres } from './postgres.ts';
import { startPostgres } from './start-postgres.ts';

/** A server that was named is not ours to end. */
export const hasOwnPostgres = hasPostgres && process.env['CAMPAIGN_TEST_POSTGRES'] === undefined;

export async function ownPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-database-'));
  await chmod(folder, 0o755);
  const server = await startPostgres(folder);
  let { pid } = server;
  const end = async () => {
    // At once, as in a crash.
    process.kill(pid, 'SIGQUIT');
    while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  onTestFinished(async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    url: server.url,
    end,
    async again() {
      pid = await server.again();
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
