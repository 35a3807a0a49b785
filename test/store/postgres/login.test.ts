import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crashReport } from '../../../src/cli/crash-report.ts';
import { databaseAt } from '../../../src/store/postgres/database-url.ts';
import {
  isDatabaseUrl,
  passwordIn,
  withoutPassword,
  withoutPasswords,
} from '../../../src/util/database-url.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'campaign-login-'));
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text, { mode: 0o600 });
  write(
    '.pgpass',
    '# of psql\nother:5432:*:anna:wrong\n127.0.0.1:5432:*:anna:pa\\:ss\\\\word\nb:*:*:*:with:colons\n*:*:*:*:any\n',
  );
  write('open', '*:*:*:*:seen-by-all\n');
  chmodSync(path.join(folder, 'open'), 0o644);
  write(
    '.pg_service.conf',
    '[stage]\nhost=127.0.0.1\n[live]\n# the one that counts\nhost = db.example.com\nport=6432\nuser=anna\ndbname=campaigns\nsslmode=verify-full\n[strange]\nkeepalives_idle=3\n[torn]\nhost\n',
  );
  write('ca.pem', 'a certificate');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Of one host. */
function loginOf(url: string, env: Record<string, string> = {}) {
  const { name, hosts, login } = loginsOf(url, env);
  const [first] = hosts;
  if (!first) throw new Error('there is one');
  const { user, database, applicationName, connectMs, options, attributes } = login;
  const { address: host, port } = first;
  const tls = first.ways.map((way) => way && way.read());
  const place = { name, host, port, user, database, tls, ...login.passwordFor(first) };
  return { ...place, applicationName, connectMs, options, attributes };
}

function loginsOf(url: string, env: Record<string, string> = {}) {
  const found = databaseAt(url, { HOME: folder, ...env });
  if (!found.ok) throw new Error(found.error.detail);
  const { name, login } = found.value;
  return {
    name,
    login,
    hosts: login.hosts,
    addresses: login.hosts.map(({ address, port }) => [address, port]),
  };
}

function whyNot(url: string, env: Record<string, string> = {}) {
  const found = databaseAt(url, { HOME: folder, ...env });
  if (found.ok) throw new Error(`${url} can be used`);
  const { code, exit, detail } = found.error;
  return `${code} ${exit} ${detail}`;
}

describe('how to log in to a database', () => {
  it('is in its URL, the variables of libpq, a service file and a password file', () => {
    const more =
      'application_name=x&connect_timeout=3&options=-c%20work_mem%3D8MB&target_session_attrs=primary';
    expect(loginOf(`postgres://anna:p%40ss@127.0.0.1:5499/camp?${more}`)).toEqual({
      name: 'postgres://anna@127.0.0.1:5499/camp',
      host: '127.0.0.1',
      port: 5499,
      user: 'anna',
      database: 'camp',
      password: 'p@ss',
      from: 'the password is that of the URL, which stays the same as long as this command runs',
      tls: [false],
      applicationName: 'x',
      connectMs: 3_000,
      options: '-c work_mem=8MB',
      attributes: 'primary',
    });
    const ofVariables = {
      PGHOST: 'localhost',
      PGPORT: '6000',
      PGUSER: 'ben',
      PGPASSWORD: 'secret',
      PGDATABASE: 'c',
    };
    expect(loginOf('postgresql://', ofVariables)).toMatchObject({
      name: 'postgres://ben@localhost:6000/c',
      password: 'secret',
    });
    expect(loginOf('postgres://anna@127.0.0.1/camp')).toMatchObject({
      port: 5432,
      password: 'pa:ss\\word',
      from: `the password is from ${folder}/.pgpass, which is read again for each connection`,
      applicationName: 'campaign',
      connectMs: 10_000,
      attributes: 'any',
    });
    expect(loginOf('postgres://[::1]/anna', { PGUSER: 'x' })).toMatchObject({
      host: '[::1]',
      password: 'any',
      tls: [false],
    });
    const others = { PGPASSFILE: path.join(folder, 'open') };
    expect(loginOf('postgres://anna@127.0.0.1/camp', others)).toMatchObject({
      password: undefined,
      from: expect.stringContaining('/open is passed over, because others may read it') as string,
    });
    expect(loginOf('postgres://anna@127.0.0.1/camp', { HOME: '' })).toMatchObject({
      password: undefined,
      from: 'PGPASSWORD is not set, and no password file is named; set one',
    });
    const passfile = path.join(folder, 'rotated');
    expect(loginOf(`postgres://anna@127.0.0.1/camp?passfile=${passfile}`).from).toContain(
      'rotated is not there',
    );
    expect(loginOf('postgres:///?service=live')).toMatchObject({
      name: 'postgres://anna@db.example.com:6432/campaigns',
      tls: [{ rejectUnauthorized: true }],
    });
    expect(loginOf('postgres:///other', { PGSERVICE: 'stage', PGUSER: 'a' }).name).toBe(
      'postgres://a@127.0.0.1/other',
    );
    expect(loginOf('postgres:///camp?host=/run/postgresql', { PGUSER: 'a' })).toMatchObject({
      name: 'postgres://a@/camp?host=/run/postgresql',
      tls: [false],
    });
  });

  it('may be several hosts, each with a port and a password of its own', () => {
    const both = [
      ['a', 5432],
      ['b', 5433],
    ];
    const verified = 'sslmode=verify-full';
    const found = loginsOf(`postgres://anna@a,b:5433/camp?${verified}`);
    expect(found).toMatchObject({ name: 'postgres://anna@a,b:5433/camp', addresses: both });
    expect(found.login.attributes).toBe('read-write');
    expect(found.hosts.map((host) => found.login.passwordFor(host).password)).toEqual(['any', 'with:colons']);
    for (const url of [
      `postgres://a:5432,b:5433/camp?${verified}&target_session_attrs=any`,
      `postgres:///camp?host=a,b&port=5432,5433&${verified}`,
      `postgres:///camp?host=a,b&port=,5433&${verified}`,
    ])
      expect(loginsOf(url, { PGUSER: 'x' }).addresses).toEqual(both);
    expect(
      loginsOf('postgres://', { PGHOST: 'a,b', PGPORT: '7', PGSSLMODE: 'verify-full' }).addresses,
    ).toEqual([
      ['a', 7],
      ['b', 7],
    ]);
    const six = loginsOf('postgres://x@[::1]:1,127.0.0.1:2/c');
    expect(six).toMatchObject({ name: 'postgres://x@[::1]:1,127.0.0.1:2/c' });
    expect(loginsOf('postgres://x@/c?host=::1,localhost')).toMatchObject({
      name: 'postgres://x@[::1],localhost/c',
      addresses: [
        ['::1', 5432],
        ['localhost', 5432],
      ],
    });
    const sockets = 'postgres://x@/c?host=/run/a,/run/b&port=1,2';
    // What is said of it can be used as it stands.
    expect(loginsOf(sockets).name).toBe(sockets);
    expect(loginsOf('postgres://%2Frun%2Fa/c', { PGUSER: 'x' }).name).toBe('postgres://x@/c?host=/run/a');
    expect(whyNot('postgres://localhost,db.example.com/c')).toContain('db.example.com is another machine');
  });

  it('is a connection that nobody can listen to, except on this machine', () => {
    const url = 'postgres://anna@db.example.com/camp';
    for (const mode of ['', '?sslmode=require', '?sslmode=verify-ca', '?sslmode=disable'])
      expect(whyNot(`${url}${mode}`)).toContain('database-tls 78 postgres://anna@db.example.com/camp');
    expect(loginOf(url, { PGSSLMODE: 'verify-full' }).tls).toEqual([{ rejectUnauthorized: true }]);
    const ca = path.join(folder, 'ca.pem');
    expect(loginOf(`${url}?sslmode=verify-full&sslrootcert=${ca}`).tls).toMatchObject([
      { ca: 'a certificate' },
    ]);
    expect(loginOf(`${url}?sslmode=verify-full&sslrootcert=system`).tls).toEqual([
      { rejectUnauthorized: true },
    ]);
    const any = { rejectUnauthorized: false };
    for (const [mode, tls] of [
      ['disable', [false]],
      ['allow', [false, any]],
      ['prefer', [any, false]],
      ['require', [any]],
    ] as const)
      expect(loginOf(`postgres://a@localhost/b?sslmode=${mode}`).tls).toEqual(tls);
    for (const mode of ['require', 'verify-ca'])
      expect(loginOf(`postgres://a@localhost/b?sslmode=${mode}&sslrootcert=${ca}`).tls).toMatchObject([
        {
          rejectUnauthorized: true,
          ca: 'a certificate',
          checkServerIdentity: expect.any(Function) as unknown,
        },
      ]);
    expect(whyNot(`${url}?sslmode=verify-full&sslrootcert=/none`)).toContain('/none cannot be read');
    expect(whyNot('postgres://a@localhost/b?sslmode=some')).toContain('sslmode=some is none of disable');
  });

  it('is refused where it is not understood, without a word of the password', () => {
    for (const [url, why] of [
      ['postgres://a:secret@b:x/c', 'its port is x'],
      ['postgres://a:secret@b:0/c', 'its port is 0'],
      ['postgres://a:secret@b:1:2/c', 'its host b:1:2 is none'],
      ['postgres://a:secret@::1/c', 'its host ::1 is none: an IPv6 address stands in brackets'],
      ['postgres://a:secret@b,,c/d', 'a host is missing in b,,c'],
      ['postgres://a:secret@b/c#d', 'it has a #'],
      ['postgres:///c?host=a,b&port=1,2,3', 'it names 2 hosts (a,b) and 3 ports (1,2,3)'],
      [
        'postgres://a:secret@localhost/c?sslmod=require',
        'the parameter sslmod is none of those that campaign obeys',
      ],
      ['postgres://localhost/c?password=secret', 'would be seen in lists of processes'],
      ['postgres://localhost/c?host=a&host=b', 'the parameter host stands there twice'],
      ['postgres://localhost/c?hostaddr=10.0.0.1', 'the parameter hostaddr is none of'],
      [
        'postgres://localhost/c?channel_binding=require',
        'is require, and campaign can obey only disable, prefer',
      ],
      ['postgres://localhost/c?gssencmode=require', 'can obey only disable, prefer'],
      ['postgres://localhost/c?target_session_attrs=standby', 'can obey only any, read-write, primary'],
      ['postgres://localhost/c?load_balance_hosts=random', 'can obey only disable'],
      ['postgres://localhost/c?keepalives=0', 'can obey only 1'],
      ['postgres://localhost/c?connect_timeout=0', 'connect_timeout is 0, and not a number of seconds'],
      ['postgres:///?service=none', 'has no service none'],
      ['postgres:///?service=strange', 'keepalives_idle in the service strange is none of'],
      ['postgres:///?service=torn', 'a line of the service torn in'],
    ] as const) {
      expect(whyNot(url)).toContain(why);
      expect(whyNot(url)).not.toContain('secret');
    }
    expect(whyNot('postgres:///?service=a', { PGSERVICEFILE: '/none' })).toContain(
      'the file of the service a is not there',
    );
    expect(whyNot('postgres:///a', { PGPORT: 'many' })).toContain('its port is many');
    expect(whyNot('postgres:///a', { PGHOSTADDR: '10.0.0.1' })).toContain('PGHOSTADDR is none of');
    expect(whyNot('postgres:///a', { PGREQUIREAUTH: 'none' })).toContain('PGREQUIREAUTH is none of');
    expect(whyNot('postgres:///a', { PGTARGETSESSIONATTRS: 'standby' })).toContain(
      'PGTARGETSESSIONATTRS is standby',
    );
  });

  it('leaves no password in what is shown', () => {
    for (const [text, shown] of [
      ['postgres://anna:secret@h:1/d?sslmode=verify-full', 'postgres://anna@h:1/d?sslmode=verify-full'],
      ['postgres://anna:se@cr/et@h/d', 'postgres://anna@h/d'],
      ['postgres://anna:sec?ret@h/d', 'postgres://anna@h/d'],
      ['postgres://:secret@h/d', 'postgres://h/d'],
      ['postgres://anna:secret@a:1,b:2/d', 'postgres://anna@a:1,b:2/d'],
      ['postgres://h/d?password=secret&sslmode=require', 'postgres://h/d&sslmode=require'],
      ['a.state.jsonl', 'a.state.jsonl'],
    ] as const)
      expect(withoutPassword(text)).toBe(shown);
    expect(withoutPasswords('at "postgres://a:secret@h/d" and postgresql://b:secret@h/e.')).toBe(
      'at "postgres://a@h/d" and postgresql://b@h/e.',
    );
    expect([passwordIn('--state=postgres://a:se%40c@h/d'), passwordIn('postgres://a@h/d')]).toEqual([
      'se@c',
      '',
    ]);
    const args = ['plan', '--state', 'postgres://anna:canary-1@h/d'];
    const env = { CAMPAIGN_STATE: 'postgres://anna:canary%2D2@h/d', PGPASSWORD: 'canary-3' };
    const bug = new Error('postgres://x:canary-0@h/d, canary-1, canary-2, canary-3');
    const { line, text } = crashReport(bug, { args, env, cwd: folder, at: '2026-11-23T00:00:00.000Z' });
    expect(line + text).not.toContain('canary');
    expect(text).toContain('postgres://anna@h/d');
    expect([isDatabaseUrl('POSTGRES://h/d'), isDatabaseUrl('postgres.jsonl')]).toEqual([true, false]);
  });
});
