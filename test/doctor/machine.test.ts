import { describe, expect, it } from 'vitest';
import { networkFileSystem } from '../../src/doctor/files/folders.ts';
import { MACHINE_CHECKS } from '../../src/doctor/checks.ts';
import { isBroken, runChecks, type Found } from '../../src/doctor/run-checks.ts';
import { ok, unknown, wrong } from '../../src/doctor/check.ts';
import { failed } from '../../src/doctor/service/connection.ts';
import type { Finding } from '../../src/model/finding.ts';
import { EXIT } from '../../src/model/exit.ts';

describe('node', () => {
  it.each([
    ['20.20.0', 'ok'],
    ['20.19.9', 'error'],
    ['22.0.0', 'ok'],
    ['18.99.0', 'error'],
  ])('%s is %s', (nodeVersion, status) => {
    expect(MACHINE_CHECKS.checks[0]?.look({ env: {}, nodeVersion, oldestNode: '20.20' })).toMatchObject({
      status,
    });
  });
});

describe('a file system', () => {
  it.each([
    [0x6969, 'NFS'],
    [0xff534d42, 'CIFS'],
    [0xff534d42 | 0, 'CIFS'],
    [0x65735546, 'FUSE'],
    [0xef53, undefined],
    [0, undefined],
  ])('%d is %s', (type, name) => {
    expect(networkFileSystem(type)).toBe(name);
  });
});

describe('a connection that comes to nothing', () => {
  it.each([
    ['SELF_SIGNED_CERT_IN_CHAIN', 78, 'NODE_EXTRA_CA_CERTS'],
    ['CERT_NOT_YET_VALID', 78, 'clock'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 78, 'as the certificate names it'],
    ['ECONNRESET', 69, 'network'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 78, 'scheme and port'],
  ])('for %s ends with %d', (code, exit, advice) => {
    const verdict = failed(code, 'no TLS with host:443');
    expect(verdict).toMatchObject({ status: 'error', exit });
    expect(verdict.action).toContain(advice);
  });
});

describe('checks', () => {
  it('that need a failed one are not run, and name the one at the bottom', async () => {
    const found: Found = new Map();
    const findings: Finding[] = [];
    const started: string[] = [];
    const checks = [
      { id: 'a', look: () => wrong(EXIT.unavailable, 'down', 'Wait.') },
      { id: 'b', needs: ['a'], look: () => ok('never') },
      { id: 'c', needs: ['b'], look: () => ok('never') },
      { id: 'd', look: () => unknown('not seen') },
      { id: 'e', needs: ['d', 'elsewhere'], look: (context: string) => Promise.resolve(ok(context)) },
    ];
    const report = {
      starting: (check: string) => void started.push(check),
      found: (finding: Finding) => void findings.push(finding),
    };
    await runChecks(checks, 'looked', { found, report });
    expect(findings).toEqual([
      { check: 'a', status: 'error', summary: 'down', action: 'Wait.', exit: 69 },
      { check: 'b', status: 'unknown', summary: 'not checked, see a' },
      { check: 'c', status: 'unknown', summary: 'not checked, see a' },
      { check: 'd', status: 'unknown', summary: 'not seen' },
      { check: 'e', status: 'ok', summary: 'looked' },
    ]);
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(['a', 'b', 'c', 'd', 'e', 'f'].filter((check) => isBroken(found, check))).toEqual(['a', 'b', 'c']);
  });
});
