/**
 * Where a database is and how to log in, from its URL, a service file, the variables of libpq and a password file, in this
 * order. The same URL works for psql.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { EXIT, type ExitCode } from '../../model/exit.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { attempt } from '../../util/attempt.ts';
import { withoutPassword } from '../../util/database-url.ts';
import { isLoopbackHost } from '../../util/loopback.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { findPassword, readService } from './login-files.ts';

export interface Login {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  readonly tls: Tls | false;
}

interface Tls {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface Database {
  /** For people and scripts: the URL without password and parameters. */
  readonly name: string;
  /** As it was written, without password: for commands in advice. */
  readonly url: string;
  readonly login: Login;
}

type Env = Readonly<Record<string, string | undefined>>;
type Settings = Readonly<Record<string, string | undefined>>;

/** What may stand behind the `?`. */
const PARAMETERS = ['host', 'service', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

/** Those of libpq that have no influence on what campaign does. */
const IGNORED = ['application_name', 'connect_timeout', 'channel_binding', 'target_session_attrs'];

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

export function databaseAt(text: string, env: Env): Result<Database, FatalProblem> {
  const url = attempt(() => new URL(text));
  if (!url) return err(badUrl(text, 'it is no URL'));
  const unknown = [...url.searchParams.keys()].find((key) => ![...PARAMETERS, ...IGNORED].includes(key));
  if (unknown !== undefined) return err(badUrl(text, whyUnknown(unknown)));
  const read = settingsOf(url, env);
  if (!read.ok) return err(badUrl(text, read.error));
  const { host = 'localhost', port = '5432', user = os.userInfo().username, dbname = user } = read.value;
  if (host.includes(',')) return err(badUrl(text, 'it names several hosts: name the one that takes writes'));
  if (!/^\d+$/.test(port)) return err(badUrl(text, `its port is ${port}`));
  const tls = tlsOf(host, read.value);
  if (!tls.ok) return err({ ...tls.error, detail: `${withoutPassword(text)}: ${tls.error.detail}` });
  const at = { host, port: Number(port), user, database: dbname };
  const password = read.value['password'] ?? findPassword(at, env);
  return ok({ name: nameOf(at), url: withoutPassword(text), login: { ...at, password, tls: tls.value } });
}

function whyUnknown(parameter: string): string {
  if (parameter === 'password')
    return 'a password there would be seen in lists of processes: use PGPASSWORD or a password file';
  return `the parameter ${parameter} is none of ${PARAMETERS.join(', ')}`;
}

/** The members that are set, the URL first. */
function settingsOf(url: URL, env: Env): Result<Settings, string> {
  const parameters = Object.fromEntries(url.searchParams);
  const own: Settings = given({
    ...parameters,
    host: parameters['host'] ?? decoded(url.hostname),
    port: url.port,
    user: decoded(url.username),
    password: decoded(url.password),
    dbname: decoded(url.pathname.slice(1)),
  });
  const name = own['service'] ?? env['PGSERVICE'];
  const service = name ? readService(name, env) : ok({});
  if (!service.ok) return service;
  const variables = given({
    host: env['PGHOST'],
    port: env['PGPORT'],
    user: env['PGUSER'],
    password: env['PGPASSWORD'],
    dbname: env['PGDATABASE'],
    sslmode: env['PGSSLMODE'],
    sslrootcert: env['PGSSLROOTCERT'],
    sslcert: env['PGSSLCERT'],
    sslkey: env['PGSSLKEY'],
  });
  return ok({ ...variables, ...given(service.value), ...own });
}

function decoded(text: string): string {
  return attempt(() => decodeURIComponent(text)) ?? text;
}

function given(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value));
}

/** On the way to another machine the password and the state need a connection that cannot be listened to or diverted. */
function tlsOf(host: string, settings: Settings): Result<Tls | false, FatalProblem> {
  const isHere = host.startsWith('/') || isLoopbackHost(host) || host === '::1';
  const { sslmode: mode = isHere ? 'disable' : 'prefer', sslrootcert, sslcert, sslkey } = settings;
  if (!MODES.includes(mode)) return err(badTls(`sslmode=${mode} is none of ${MODES.join(', ')}.`));
  if (!isHere && mode !== 'verify-full')
    return err(
      badTls(
        `${host} is another machine, and without \`sslmode=verify-full\` somebody on the way could read the password or ` +
          'change the state. Add `?sslmode=verify-full` to the URL, and `&sslrootcert=FILE` for a certificate of your own authority.',
      ),
    );
  if (['disable', 'allow', 'prefer'].includes(mode)) return ok(false);
  const files: Record<string, string> = {};
  for (const [member, file] of Object.entries({ ca: sslrootcert, cert: sslcert, key: sslkey })) {
    if (file === undefined || (member === 'ca' && file === 'system')) continue;
    const content = attempt(() => readFileSync(file, 'utf8'));
    if (content === undefined) return err(badTls(`${file} cannot be read.`));
    files[member] = content;
  }
  return ok({ rejectUnauthorized: mode !== 'require', ...files });
}

function nameOf({ host, port, user, database }: Omit<Login, 'password' | 'tls'>): string {
  const isSocket = host.startsWith('/');
  const place = isSocket ? '' : `${host}${port === 5432 ? '' : `:${port}`}`;
  const name = `postgres://${encodeURIComponent(user)}@${place}/${encodeURIComponent(database)}`;
  return isSocket ? `${name}?host=${host}` : name;
}

function badUrl(text: string, why: string): FatalProblem {
  const detail =
    `${withoutPassword(text)} cannot be used: ${why}. It has the form postgres://USER@HOST:PORT/DATABASE; the password ` +
    'comes from PGPASSWORD, a password file (PGPASSFILE, ~/.pgpass) or a service file.';
  return configured('bad-database-url', EXIT.usage, 'No database for the state', detail);
}

function badTls(detail: string): FatalProblem {
  return configured('database-tls', EXIT.configuration, 'The connection to the database is not safe', detail);
}

function configured(code: string, exit: ExitCode, summary: string, detail: string): FatalProblem {
  return { code, exit, summary, detail };
}
