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
    if (section !== name || line === '' || line.startsWith('#')) continue;
    isThere = true;
    const [, key, value] = /^([a-z_]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) settings[key] = value;
    else if (!line.startsWith('['))
      return err(`a line of the service ${name} in ${file} has not the form name=value`);
  }
  return isThere ? ok(settings) : err(`${file} has no service ${name}`);
}

interface Found {
  readonly password: string | undefined;
  /** The file that was looked at; absent where none is named. */
  readonly file: string | undefined;
  /** Why there is no password, in words; empty where there is one. */
  readonly lack: string;
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
): Found {
  const file = env['PGPASSFILE'] || inHome('.pgpass', env);
  const without = (lack: string): Found => ({ password: undefined, file, lack });
  if (!file) return without('no password file is named');
  const stats = attempt(() => statSync(file));
  if (!stats?.isFile()) return without(`${file} is not there`);
  if ((stats.mode & 0o077) !== 0) return without(`${file} is passed over, because others may read it`);
  const { host, port, user, database } = login;
  // psql knows the usual folder of the socket by this name; another one stands there as it is.
  const hosts = host.startsWith('/') ? [host, 'localhost'] : [host.replace(/^\[(.*)\]$/, '$1'), host];
  const rest = [String(port), database, user];
  for (const line of (attempt(() => readFileSync(file, 'utf8')) ?? '').split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const [place = '', ...fields] = fieldsOf(line);
    const isFor =
      [...hosts, '*'].includes(place) && rest.every((value, at) => ['*', value].includes(fields[at] ?? ''));
    // What is left of the line is the password, with its colons.
    if (fields.length >= 4 && isFor) return { password: fields.slice(3).join(':'), file, lack: '' };
  }
  return without(`${file} has no line for ${host}:${port}:${database}:${user}`);
}

/** `host:port:database:user:password`, where a backslash escapes a colon or a backslash. */
function fieldsOf(line: string): string[] {
  const fields = line.match(/(?:^|:)(?:\\.|[^:\\])*/g) ?? [];
  return fields.map((field) => field.replace(/^:/, '').replace(/\\(.)/g, '$1'));
}

function inHome(name: string, env: Env): string | undefined {
  return env['HOME'] ? path.join(env['HOME'], name) : undefined;
}
