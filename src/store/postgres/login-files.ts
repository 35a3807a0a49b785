/** The files of libpq that say how to log in: ~/.pg_service.conf, and passwords in ~/.pgpass. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../util/attempt.ts';
import { err, ok, type Result } from '../../util/result.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The settings of a service; the error is the end of a sentence about the URL. */
export function readService(
  name: string,
  env: Env,
): Result<Readonly<Record<string, string | undefined>>, string> {
  const file = env['PGSERVICEFILE'] || inHome('.pg_service.conf', env);
  const text = file && attempt(() => readFileSync(file, 'utf8'));
  if (!file || text === undefined) return err(`the file of the service ${name} is not there (PGSERVICEFILE)`);
  const settings: Record<string, string> = {};
  let section: string | undefined;
  let isThere = false;
  for (const line of text.split('\n').map((each) => each.trim())) {
    section = /^\[(.*)\]$/.exec(line)?.[1] ?? section;
    const [, key, value] = /^([a-z_]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (section !== name) continue;
    isThere = true;
    if (key !== undefined && value !== undefined) settings[key] = value;
  }
  return isThere ? ok(settings) : err(`${file} has no service ${name}`);
}

/** The password of a login. As for psql, a file that others may read is passed over. */
export function findPassword(
  login: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  },
  env: Env,
): string | undefined {
  const file = env['PGPASSFILE'] || inHome('.pgpass', env);
  const stats = file ? attempt(() => statSync(file)) : undefined;
  if (!file || !stats?.isFile() || (stats.mode & 0o077) !== 0) return undefined;
  const { host, port, user, database } = login;
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of (attempt(() => readFileSync(file, 'utf8')) ?? '').split('\n')) {
    if (line.startsWith('#')) continue;
    const fields = fieldsOf(line);
    if (fields.length === 5 && wanted.every((value, at) => fields[at] === '*' || fields[at] === value))
      return fields[4];
  }
  return undefined;
}

/** `host:port:database:user:password`, where a backslash escapes a colon or a backslash. */
function fieldsOf(line: string): string[] {
  const fields = line.match(/(?:^|:)(?:\\.|[^:\\])*/g) ?? [];
  return fields.map((field) => field.replace(/^:/, '').replace(/\\(.)/g, '$1'));
}

function inHome(name: string, env: Env): string | undefined {
  return env['HOME'] ? path.join(env['HOME'], name) : undefined;
}
