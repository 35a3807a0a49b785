/** A Postgres server of one test, which may be ended and started again. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { hasPostgres } from './postgres.ts';
import { type PostgresServer, startPostgres } from './start-postgres.ts';

/** A server that was named is not ours to end. */
export const hasOwnPostgres = hasPostgres && process.env['CAMPAIGN_TEST_POSTGRES'] === undefined;

/** `settingsFor`: what it needs besides, and what it finds in its folder. */
export async function ownPostgres(
  settingsFor: (folder: string) => Readonly<Record<string, string>> = () => ({}),
  which: 'any' | 'jit' = 'any',
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-database-'));
  await chmod(folder, 0o755);
  const server = await startPostgres(folder, settingsFor(folder), which);
  onTestFinished(async () => {
    await server.end();
    await rm(folder, { recursive: true, force: true });
  });
  return server;
}
