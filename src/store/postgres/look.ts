/** How a database is read: each time through a connection of its own, or through one that stays open. */
import type { FatalProblem } from '../../model/problem.ts';
import type { Result } from '../../util/result.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database-url.ts';

interface Reading {
  readonly database: Database;
  /** Beside the manifest. */
  readonly file: string;
}

export function createLook({ database, file }: Reading) {
  let kept: { connection?: Connection } | undefined;
  return {
    /** What the database or the disk refuses becomes a problem. */
    async look<T>(work: (connection: Connection) => Promise<Result<T, FatalProblem>>) {
      const { connected } = await import('./connected.ts');
      const { createConnection } = await import('./connection.ts');
      const through = kept && (kept.connection ??= createConnection(database));
      return connected({ database, file, use: 'unreadable', through }, work);
    },
    /** Until the returned function is called, there is one connection for all. It is made anew after it was lost. */
    stayConnected() {
      const own: typeof kept = {};
      kept = own;
      return async () => {
        if (kept === own) kept = undefined;
        await own.connection?.close();
      };
    },
  };
}
