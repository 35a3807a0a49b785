/** What a database or the way to it refuses, as an error of its own kind: any other exception is a bug. */
import { EXIT, type ExitCode } from '../../model/exit.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { inertText } from '../../util/inert-text.ts';
import { err, type Result } from '../../util/result.ts';
import { causeOf, StateWriteError } from '../write-error.ts';

export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** A SQLSTATE, or what Node calls the error of a connection. */
  readonly code: string;
  private readonly isKnown: boolean;

  /** `isKnown`: the same command has logged in before. */
  constructor(code: string, message: string, { isKnown = false }: { readonly isKnown?: boolean } = {}) {
    super(message);
    this.code = code;
    this.isKnown = isKnown;
  }

  /** Whether the same may succeed in a moment: nothing is wrong with what was asked. */
  get isPassing(): boolean {
    return this.isLost || PASSING.test(this.code);
  }

  /** Whether nothing more can be asked in this session. */
  get isLost(): boolean {
    return LOST.test(this.code) || (this.isKnown && LOGIN.test(this.code));
  }
}

/** Another run has taken over, because this one was silent for too long. */
export class LostRun extends DatabaseError {
  constructor() {
    super('lost', 'this run was silent for too long, and another one has taken over');
  }
}

/** The log lacks a record that was there. */
export class OlderLog extends DatabaseError {
  readonly isOlder = true;

  /** Without a number another process has found it so, and ended the run. */
  constructor(seq?: number) {
    const lacks =
      seq === undefined
        ? 'records that another process has seen there'
        : `record ${seq}, which this process has seen there`;
    super('older', `the database has come back older than it was: its log lacks ${lacks}`);
  }
}

/** A statement that was prepared is not there, or there already: the connection is not the one that it was. */
export const NAMES_LOST = /^(?:26000|42P05)$/;

/** No connection, one that was ended, a name that nobody knows just now, a server that stops or starts, one that is a standby. */
const LOST =
  /^(?:26000|42P05|08|57P0[1-5]|25P0[34]|25006|E(?:CONN(?:REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOST(?:UNREACH|DOWN)|NET(?:UNREACH|DOWN)|AI_AGAIN|NOTFOUND)|LOST$)/;
/**
 * A log-in that is refused. Where it was admitted before, its password is being changed: the next one is looked up again. Or its
 * database is closed or not there for a moment, because a backup takes its place.
 */
const LOGIN = /^(?:28|3D000$|55000$)/;
/**
 * No room for a connection, in memory or on the disk of the server, or an error of that disk: whoever runs it is told by it,
 * too, and a run is worth waiting for that. A deadlock, and a statement that took too long or was cancelled.
 */
const PASSING = /^(?:53[123]00|58030|40001|40P01|55P03|57014)$/;

/** In the middle of a run: what has been sent is awaited, and its answers are kept in a file. */
export function asWriteError(error: unknown): never {
  if (!(error instanceof DatabaseError)) throw error;
  throw new StateWriteError(`The state cannot be read: ${error.message}`, { cause: error, hasNothing: true });
}

/** The error of a query or a connection; `password` is left out of what it says. */
export function databaseError(error: unknown, password: string | undefined): DatabaseError {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const { message = '', code } = first as { message?: string; code?: unknown };
  const said = inertText(password ? message.replaceAll(password, '…') : message);
  if (typeof code === 'string') return new DatabaseError(code, said);
  if (/terminated|not queryable|timeout|closed/i.test(said)) return new DatabaseError('LOST', said);
  if (/password/i.test(said)) return new DatabaseError('28P01', 'a password is asked for, and none is known');
  return new DatabaseError(/SSL|TLS/.test(said) ? 'ERR_TLS' : '', said);
}

/** Runs work with a database; what that refuses becomes a problem. */
export async function unlessDatabaseRefused<T>(
  { name }: { readonly name: string },
  work: () => Promise<Result<T, FatalProblem>>,
): Promise<Result<T, FatalProblem>> {
  try {
    return await work();
  } catch (error) {
    const cause = causeOf(error);
    if (cause instanceof DatabaseError) return err(refusedBy(name, cause));
    throw error;
  }
}

function refusedBy(name: string, { code, message }: DatabaseError): FatalProblem {
  const said = `${name}: ${message}.`;
  if (code.startsWith('28'))
    return problem('database-refused', EXIT.authentication, {
      summary: 'The database refused the log-in',
      detail: `${said} Check the user, and its password. Nothing was sent.`,
    });
  if (code === '42501')
    return problem('database-not-allowed', EXIT.authentication, {
      summary: 'The database does not allow this',
      detail: `${said} Its role lacks a right: docs/scale.md has the roles. Nothing was sent.`,
    });
  if (code === '3D000')
    return problem('no-database', EXIT.configuration, {
      summary: 'There is no such database',
      detail: `${said} Make it (\`createdb\`), or correct the URL. Nothing was sent.`,
    });
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code))
    return problem('database-tls', EXIT.configuration, {
      summary: 'The connection to the database is not safe',
      detail: `${said} The server has to show a certificate for its name, of an authority that is known here (sslrootcert).`,
    });
  return problem('database-unreachable', EXIT.cannotWrite, {
    summary: 'The database of the state cannot be used',
    detail: `${said} Without its state, campaign does not know what was made. Nothing was sent; try again once the database is there.`,
  });
}

function problem(
  code: string,
  exit: ExitCode,
  words: { readonly summary: string; readonly detail: string },
): FatalProblem {
  return { code, exit, ...words };
}
