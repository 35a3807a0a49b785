/**
 * Where a database is and how to log in, from its URL, a service file, the variables of libpq and a password file, in this
 * order. The same URL works for psql.
 */
import os from 'node:os';
import { EXIT, type ExitCode } from '../../model/exit.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { withoutPassword } from '../../util/database-url.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type Tls, tlsOf } from './database-tls.ts';
import { findPassword, readService } from './login-files.ts';
import { loginSettings, type Settings } from './login-settings.ts';

/** A server, or the folder of its socket. */
export interface Host {
  readonly address: string;
  readonly port: number;
  /** With the port, where that is another one than usual. */
  readonly name: string;
  /** With TLS or without: what is tried in turn. */
  readonly ways: readonly (Tls | false)[];
}

/** `from`: where it is from, or why there is none, in words. */
export interface FoundPassword {
  readonly password: string | undefined;
  readonly from: string;
}

export interface Login {
  /** They are tried in turn, for each connection. */
  readonly hosts: readonly Host[];
  readonly user: string;
  readonly database: string;
  /** Which of the servers will do: any, one whose sessions may write, or one that is no standby. */
  readonly attributes: 'any' | 'read-write' | 'primary';
  readonly connectMs: number;
  readonly applicationName: string;
  readonly options: string | undefined;
  /** What the files say now: passwords are changed while a worker runs. */
  readonly passwordFor: (host: Pick<Host, 'address' | 'port'>) => FoundPassword;
}

export interface Database {
  /** For people and scripts: the URL without password and parameters. */
  readonly name: string;
  /** As it was written, without password: for commands in advice. */
  readonly url: string;
  readonly login: Login;
  /** Who took the last session of this command, and how; empty before the first one. */
  readonly reached: { host?: Host; isEncrypted?: boolean };
}

type Env = Readonly<Record<string, string | undefined>>;

const CONNECT_SECONDS = '10';

export function databaseAt(text: string, env: Env): Result<Database, FatalProblem> {
  const found = loginSettings(text, env);
  if (!found.ok) return err(badUrl(text, found.error));
  const { settings, password } = found.value;
  const { user = os.userInfo().username, dbname = user, options, connect_timeout } = settings;
  const seconds = connect_timeout ?? CONNECT_SECONDS;
  if (!/^[1-9]\d{0,3}$/.test(seconds))
    return err(badUrl(text, `connect_timeout is ${seconds}, and not a number of seconds from 1 to 9999`));
  const places = placesOf(settings);
  if (!places.ok) return err(badUrl(text, places.error));
  const hosts: Host[] = [];
  for (const place of places.value) {
    const ways = tlsOf(place.address, settings);
    if (!ways.ok) return err(badTls(`${withoutPassword(text)}: ${ways.error}`));
    hosts.push({ ...place, name: placeName(place), ways: ways.value });
  }
  const isOne = hosts.length === 1;
  const login: Login = {
    hosts,
    user,
    database: dbname,
    // Of several hosts the one is meant that takes records.
    attributes: (settings['target_session_attrs'] ?? (isOne ? 'any' : 'read-write')) as Login['attributes'],
    connectMs: Number(seconds) * 1000,
    applicationName: settings['application_name'] ?? 'campaign',
    options,
    passwordFor: ({ address, port }) =>
      passwordNow({ host: address, port, user, database: dbname }, { env, settings, inUrl: password }),
  };
  return ok({ name: nameOf(login), url: withoutPassword(text), login, reached: {} });
}

type Address = Pick<Host, 'address' | 'port'>;

/** One port is that of all hosts; otherwise each has its own, which may be left out. */
function placesOf({ host = 'localhost', port = '' }: Settings): Result<readonly Address[], string> {
  const addresses = host.split(',');
  const ports = port.split(',');
  if (ports.length > 1 && ports.length !== addresses.length)
    return err(`it names ${addresses.length} hosts (${host}) and ${ports.length} ports (${port})`);
  const places: Address[] = [];
  for (const [at, address] of addresses.entries()) {
    const own = (ports.length > 1 ? ports[at] : port) || '5432';
    if (address === '') return err(`a host is missing in ${host}`);
    if (!/^\d{1,5}$/.test(own) || Number(own) < 1 || Number(own) > 65_535) return err(`its port is ${own}`);
    places.push({ address, port: Number(own) });
  }
  return ok(places);
}

interface Sources {
  readonly env: Env;
  readonly settings: Settings;
  readonly inUrl: string | undefined;
}

/** As psql looks for it. */
function passwordNow(
  login: Parameters<typeof findPassword>[0],
  { env, settings, inUrl }: Sources,
): FoundPassword {
  if (inUrl !== undefined) return { password: inUrl, from: `the password is that of the URL, ${FIXED}` };
  const { service, passfile } = settings;
  const read = service ? readService(service, env) : undefined;
  const ofService = read?.ok ? read.value['password'] : undefined;
  if (ofService)
    return { password: ofService, from: `the password is that of the service ${service}, ${ANEW}` };
  const ofVariable = env['PGPASSWORD'];
  if (ofVariable) return { password: ofVariable, from: `the password is that of PGPASSWORD, ${FIXED}` };
  const { file, password, lack } = findPassword(login, { ...env, ...(passfile && { PGPASSFILE: passfile }) });
  if (password !== undefined) return { password, from: `the password is from ${file}, ${ANEW}` };
  return {
    password,
    from: `PGPASSWORD is not set, and ${lack}; ${file ? `${file} is ${AGAIN}` : 'set one'}`,
  };
}

const AGAIN = 'read again for each connection';
const ANEW = `which is ${AGAIN}`;
const FIXED = 'which stays the same as long as this command runs';

function placeName({ address, port }: Address): string {
  const host = address.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
  return `${host}${port === 5432 ? '' : `:${port}`}`;
}

function nameOf({ hosts, user, database }: Login): string {
  const isSocket = hosts.some(({ address }) => address.startsWith('/'));
  const place = isSocket ? '' : hosts.map(({ name }) => name).join(',');
  const name = `postgres://${encodeURIComponent(user)}@${place}/${encodeURIComponent(database)}`;
  if (!isSocket) return name;
  const ports = hosts.map(({ port }) => port);
  const port = ports.every((each) => each === 5432) ? '' : `&port=${ports.join(',')}`;
  return `${name}?host=${hosts.map(({ address }) => address).join(',')}${port}`;
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
