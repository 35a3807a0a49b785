import type { FatalProblem } from '../../model/problem.ts';
import type { Result } from '../../util/result.ts';
import { unlessRefused } from '../file/state-problem.ts';
import { type Connection, createConnection } from './connection.ts';
import { unlessDatabaseRefused } from './database-error.ts';
import type { Database } from './database-url.ts';

interface Using {
  readonly database: Database;
  /** Beside the manifest. */
  readonly file: string;
  /** What it is for: what the disk refuses is told accordingly. */
  readonly use: 'unwritable' | 'unreadable';
  /** `keep`: it stays open for what came of the work, and is closed by that. */
  readonly after?: 'keep';
  /** One that is open already, and stays so; by default a new one. */
  readonly through?: Connection | undefined;
}

/** Runs work with a connection; what the database or the disk refuses becomes a problem. */
export async function connected<T>(
  { database, file, use, after, through }: Using,
  work: (connection: Connection) => Promise<Result<T, FatalProblem>>,
): Promise<Result<T, FatalProblem>> {
  const connection = through ?? createConnection(database);
  let end: Result<T, FatalProblem> | undefined;
  try {
    end = await unlessDatabaseRefused(database, () => unlessRefused(use, file, () => work(connection)));
    return end;
  } finally {
    if (!through && (after !== 'keep' || !end?.ok)) await connection.close();
  }
}
