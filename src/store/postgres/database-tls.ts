/** How the way to a database is kept from those who could listen to it or divert it. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { attempt } from '../../util/attempt.ts';
import { isLoopbackHost } from '../../util/loopback.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { DatabaseError } from './database-error.ts';

export interface Tls {
  /** Its files are read for each connection: certificates are exchanged while a worker runs. */
  read(): ConnectionOptions;
}

type Settings = Readonly<Record<string, string | undefined>>;

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** The ways to a host, in the order in which they are tried; the error is a text of whole sentences. */
export function tlsOf(host: string, settings: Settings): Result<readonly (Tls | false)[], string> {
  const isSocket = host.startsWith('/');
  const isHere = isSocket || isLoopbackHost(host) || host === '::1';
  const { sslmode: mode = isHere ? 'disable' : 'prefer', sslrootcert, sslcert, sslkey } = settings;
  if (!MODES.includes(mode)) return err(`sslmode=${mode} is none of ${MODES.join(', ')}.`);
  if (!isHere && mode !== 'verify-full')
    return err(
      `${host} is another machine, and without \`sslmode=verify-full\` somebody on the way could read the password or ` +
        'change the state. Add `?sslmode=verify-full` to the URL, and `&sslrootcert=FILE` for a certificate of your own authority.',
    );
  // As for psql, nobody can come between the ends of a socket of this machine.
  if (isSocket || mode === 'disable') return ok([false]);
  const files = {
    ...(sslrootcert !== undefined && sslrootcert !== 'system' && { ca: sslrootcert }),
    ...(sslcert !== undefined && { cert: sslcert }),
    ...(sslkey !== undefined && { key: sslkey }),
  };
  const unreadable = Object.values(files).find((file) => contentOf(file) === undefined);
  if (unreadable !== undefined) return err(`${unreadable} cannot be read.`);
  const isVerified = mode.startsWith('verify-') || (mode === 'require' && sslrootcert !== undefined);
  const tls = { read: () => ({ ...manner(mode, isVerified), ...contents(files) }) };
  if (mode === 'prefer') return ok([tls, false]);
  return ok(mode === 'allow' ? [false, tls] : [tls]);
}

function manner(mode: string, isVerified: boolean): ConnectionOptions {
  if (!isVerified) return { rejectUnauthorized: false };
  // The authority counts, and not the name: it is another one at the end of a tunnel.
  if (mode !== 'verify-full') return { rejectUnauthorized: true, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: true };
}

function contents(files: Readonly<Record<string, string>>): ConnectionOptions {
  const read = Object.entries(files).map(([member, file]) => {
    const content = contentOf(file);
    if (content === undefined) throw new DatabaseError('28000', `${file} cannot be read`);
    return [member, content] as const;
  });
  return Object.fromEntries(read);
}

function contentOf(file: string): string | undefined {
  return attempt(() => readFileSync(file, 'utf8'));
}
