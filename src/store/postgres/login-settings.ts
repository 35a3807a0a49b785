/**
 * What the URL of a database, a service file and the variables of libpq say, in this order. What is accepted is obeyed; all
 * else is refused by name, because somebody has relied on it.
 */
import { attempt } from '../../util/attempt.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { readService } from './login-files.ts';

type Env = Readonly<Record<string, string | undefined>>;
export type Settings = Readonly<Record<string, string | undefined>>;

/** What may stand behind the `?`, and in a service file; where only some values can be obeyed, which. */
const OBEYED: Readonly<Record<string, readonly string[] | 'any'>> = {
  host: 'any',
  port: 'any',
  user: 'any',
  dbname: 'any',
  passfile: 'any',
  service: 'any',
  sslmode: 'any',
  sslrootcert: 'any',
  sslcert: 'any',
  sslkey: 'any',
  connect_timeout: 'any',
  application_name: 'any',
  options: 'any',
  target_session_attrs: ['any', 'read-write', 'primary'],
  // So it is in any case.
  channel_binding: ['disable', 'prefer'],
  gssencmode: ['disable', 'prefer'],
  sslnegotiation: ['postgres'],
  load_balance_hosts: ['disable'],
  keepalives: ['1'],
};

/** The variables of libpq whose names are not those of a parameter in capitals. */
const VARIABLES: Readonly<Record<string, string>> = {
  PGDATABASE: 'dbname',
  PGAPPNAME: 'application_name',
  PGTARGETSESSIONATTRS: 'target_session_attrs',
  PGCONNECT_TIMEOUT: 'connect_timeout',
  PGCHANNELBINDING: 'channel_binding',
  PGLOADBALANCEHOSTS: 'load_balance_hosts',
};
const SAME_NAME =
  'host port user password passfile options sslmode sslrootcert sslcert sslkey gssencmode sslnegotiation ' +
  // Not obeyed: who has set one of these relies on it.
  'hostaddr requirepeer sslcrl sslcrldir sslcertmode requiressl';
const REFUSED: Readonly<Record<string, string>> = {
  PGREQUIREAUTH: 'require_auth',
  PGSSLMINPROTOCOLVERSION: 'ssl_min_protocol_version',
  PGSSLMAXPROTOCOLVERSION: 'ssl_max_protocol_version',
};

interface Found {
  /** Of the URL and the variables, those of the URL first; the service's between them. */
  readonly settings: Settings;
  /** In the URL. */
  readonly password: string | undefined;
}

/** The error is the end of a sentence about the URL. */
export function loginSettings(text: string, env: Env): Result<Found, string> {
  const parts = partsOf(text);
  if (!parts.ok) return parts;
  const { parameters, own, password } = parts.value;
  const twice = [...parameters.keys()].find((key) => parameters.getAll(key).length > 1);
  if (twice !== undefined) return err(`the parameter ${twice} stands there twice`);
  if (parameters.has('password'))
    return err('a password there would be seen in lists of processes: use PGPASSWORD or a password file');
  const named = { ...own, ...given(Object.fromEntries(parameters)) };
  const variables = variablesIn(env);
  const name = named['service'] ?? env['PGSERVICE'];
  const service = name ? readService(name, env) : ok({});
  if (!service.ok) return service;
  for (const [settings, where] of [
    [named, (key: string) => `the parameter ${key}`],
    [service.value, (key: string) => `${key} in the service ${name}`],
    [variables, (key: string) => variableOf(key)],
  ] as const) {
    const why = whyNotObeyed(settings, where);
    if (why !== undefined) return err(why);
  }
  return ok({ settings: { ...variables, ...given(service.value), ...named, service: name }, password });
}

function whyNotObeyed(settings: Settings, where: (key: string) => string): string | undefined {
  for (const [key, value = ''] of Object.entries(settings)) {
    if (key === 'password') continue;
    const values = Object.hasOwn(OBEYED, key) ? OBEYED[key] : undefined;
    if (values === undefined)
      return `${where(key)} is none of those that campaign obeys: ${Object.keys(OBEYED).join(', ')}`;
    if (values !== 'any' && !values.includes(value))
      return `${where(key)} is ${value}, and campaign can obey only ${values.join(', ')}`;
  }
  return undefined;
}

interface Parts {
  readonly parameters: URLSearchParams;
  readonly own: Settings;
  readonly password: string | undefined;
}

/** `URL` knows no list of hosts with ports, and no user without a host; the hosts are read here. */
function partsOf(text: string): Result<Parts, string> {
  const [, login = '', hosts = '', rest = ''] =
    /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)([^]*)$/i.exec(text) ?? [];
  const url = attempt(() => new URL(`postgres://host${rest}`));
  if (!url) return err('it is no URL');
  if (url.hash !== '') return err('it has a #, which is written as %23');
  const [, user = '', password = ''] = /^([^:]*):?([^]*)$/.exec(login) ?? [];
  const places = hosts.split(',').map((each) => /^(\[[^\]]*\]|[^:[\]]*)(?::([^:]*))?$/.exec(each));
  const strange = hosts.split(',').find((_, at) => !places[at]);
  if (strange !== undefined) return err(`its host ${strange} is none: an IPv6 address stands in brackets`);
  const ports = places.map((place) => place?.[2] ?? '');
  const own = given({
    host: places.map((place) => decoded(place?.[1] ?? '')).join(','),
    port: ports.some(Boolean) ? ports.join(',') : undefined,
    user: decoded(user),
    dbname: decoded(url.pathname.slice(1)),
  });
  return ok({ parameters: url.searchParams, own, password: decoded(password) || undefined });
}

function variablesIn(env: Env): Settings {
  const names = Object.entries({ ...VARIABLES, ...REFUSED });
  const same = SAME_NAME.split(' ').map((key) => [`PG${key.toUpperCase()}`, key] as const);
  return given(Object.fromEntries([...same, ...names].map(([name, key]) => [key, env[name]])));
}

function variableOf(key: string): string {
  const named = Object.entries({ ...VARIABLES, ...REFUSED }).find(([, each]) => each === key);
  return named?.[0] ?? `PG${key.toUpperCase()}`;
}

function decoded(text: string): string {
  return attempt(() => decodeURIComponent(text)) ?? text;
}

function given(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value));
}
