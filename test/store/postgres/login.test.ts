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
    '# of psql\nother:5432:*:anna:wrong\n127.0.0.1:5432:*:anna:pa\\:ss\\\\word\n*:*:*:*:any\n',
  );
  write('open', '*:*:*:*:seen-by-all\n');
  chmodSync(path.join(folder, 'open'), 0o644);
  write(
    '.pg_service.conf',
    '[stage]\nhost=127.0.0.1\n[live]\n# the one that counts\nhost = db.example.com\nport=6432\nuser=anna\ndbname=campaigns\nsslmode=verify-full\n',
  );
  write('ca.pem', 'a certificate');
});
afterAll(() => rmSync(folder, { recursive: true }));

function loginOf(url: string, env: Record<string, string> = {}) {
  const found = databaseAt(url, { HOME: folder, ...env });
  if (!found.ok) throw new Error(found.error.detail);
  return { name: found.value.name, ...found.value.login };
}

function whyNot(url: string, env: Record<string, string> = {}) {
  const found = databaseAt(url, { HOME: folder, ...env });
  if (found.ok) throw new Error(`${url} can be used`);
  const { code, exit, detail } = found.error;
  return `${code} ${exit} ${detail}`;
}

describe('how to log in to a database', () => {
  it('is in its URL, the variables of libpq, a service file and a password file', () => {
    expect(loginOf('postgres://anna:p%40ss@127.0.0.1:5499/camp?application_name=x')).toEqual({
      name: 'postgres://anna@127.0.0.1:5499/camp',
      host: '127.0.0.1',
      port: 5499,
      user: 'anna',
      database: 'camp',
      password: 'p@ss',
      tls: false,
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
    expect(loginOf('postgres://anna@127.0.0.1/camp')).toMatchObject({ port: 5432, password: 'pa:ss\\word' });
    expect(loginOf('postgres://[::1]/anna', { PGUSER: 'x' })).toMatchObject({
      host: '[::1]',
      password: 'any',
      tls: false,
    });
    const others = { PGPASSFILE: path.join(folder, 'open') };
    expect(loginOf('postgres://anna@127.0.0.1/camp', others).password).toBeUndefined();
    expect(loginOf('postgres://anna@127.0.0.1/camp', { HOME: '' }).password).toBeUndefined();
    expect(loginOf('postgres:///?service=live')).toMatchObject({
      name: 'postgres://anna@db.example.com:6432/campaigns',
      tls: { rejectUnauthorized: true },
    });
    expect(loginOf('postgres:///other', { PGSERVICE: 'stage', PGUSER: 'a' }).name).toBe(
      'postgres://a@127.0.0.1/other',
    );
    expect(loginOf('postgres:///camp?host=/run/postgresql', { PGUSER: 'a' })).toMatchObject({
      name: 'postgres://a@/camp?host=/run/postgresql',
      tls: false,
    });
  });

  it('is a connection that nobody can listen to, except on this machine', () => {
    const url = 'postgres://anna@db.example.com/camp';
    for (const mode of ['', '?sslmode=require', '?sslmode=verify-ca', '?sslmode=disable'])
      expect(whyNot(`${url}${mode}`)).toContain('database-tls 78 postgres://anna@db.example.com/camp');
    expect(loginOf(url, { PGSSLMODE: 'verify-full' }).tls).toEqual({ rejectUnauthorized: true });
    const ca = path.join(folder, 'ca.pem');
    expect(loginOf(`${url}?sslmode=verify-full&sslrootcert=${ca}`).tls).toMatchObject({
      ca: 'a certificate',
    });
    expect(loginOf(`${url}?sslmode=verify-full&sslrootcert=system`).tls).toEqual({
      rejectUnauthorized: true,
    });
    expect(loginOf('postgres://a@localhost/b?sslmode=require').tls).toEqual({ rejectUnauthorized: false });
    expect(whyNot(`${url}?sslmode=verify-full&sslrootcert=/none`)).toContain('/none cannot be read');
    expect(whyNot('postgres://a@localhost/b?sslmode=some')).toContain('sslmode=some is none of disable');
  });

  it('is refused where it is not understood, without a word of the password', () => {
    for (const [url, why] of [
      ['postgres://a:secret@b:x/c', 'it is no URL'],
      ['postgres://a:secret@localhost/c?sslmod=require', 'the parameter sslmod is none of'],
      ['postgres://localhost/c?password=secret', 'would be seen in lists of processes'],
      ['postgres:///c?host=a,b', 'it names several hosts'],
      ['postgres:///?service=none', 'has no service none'],
    ] as const) {
      expect(whyNot(url)).toContain(why);
      expect(whyNot(url)).not.toContain('secret');
    }
    expect(whyNot('postgres:///?service=a', { PGSERVICEFILE: '/none' })).toContain(
      'the file of the service a is not there',
    );
    expect(whyNot('postgres:///a', { PGPORT: 'many' })).toContain('its port is many');
  });

  it('leaves no password in what is shown', () => {
    for (const [text, shown] of [
      ['postgres://anna:secret@h:1/d?sslmode=verify-full', 'postgres://anna@h:1/d?sslmode=verify-full'],
      ['postgres://anna:se@cr/et@h/d', 'postgres://anna@h/d'],
      ['postgres://anna:sec?ret@h/d', 'postgres://anna@h/d'],
      ['postgres://:secret@h/d', 'postgres://h/d'],
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
