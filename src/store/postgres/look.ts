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

interface Kept {
  connection?: Connection;
  /** Those that use it, and go on. */
  readonly looks: Set<Promise<unknown>>;
}

export function createLook({ database, file }: Reading) {
  let kept: Kept | undefined;
  return {
    /** What the database or the disk refuses becomes a problem. */
    async look<T>(work: (connection: Connection) => Promise<Result<T, FatalProblem>>) {
      const { connected } = await import('./connected.ts');
      const { createConnection } = await import('./connection.ts');
      const own = kept;
      const through = own && (own.connection ??= createConnection(database));
      const looking = connected({ database, file, use: 'unreadable', through }, work);
      own?.looks.add(looking);
      return looking.finally(() => own?.looks.delete(looking));
    },
    /** Until the returned function is called, there is one connection for all. It is made anew after it was lost. */
    stayConnected() {
      const own: Kept = { looks: new Set() };
      kept = own;
      return async () => {
        if (kept === own) kept = undefined;
        // What they ask next would open the connection again, and nobody would close that one.
        await Promise.allSettled(own.looks);
        await own.connection?.close();
      };
    },
  };
}
