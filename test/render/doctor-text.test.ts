import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/model/finding.ts';
import { findingsSum, findingText } from '../../src/render/doctor-text.ts';
import { PLAIN } from '../support/plain-style.ts';

const LONG: Finding = {
  check: 'certificates',
  status: 'warning',
  summary: 'NODE_EXTRA_CA_CERTS names /etc/ssl/authority.pem, which holds no certificate',
  action: 'Name a file of certificates in PEM form (-----BEGIN CERTIFICATE-----), with its absolute path.',
};

describe('a finding', () => {
  it('is one line, and one more for what to do', () => {
    expect(findingText({ ...LONG, status: 'error' }, PLAIN)).toBe(
      '  x   certificates  NODE_EXTRA_CA_CERTS names /etc/ssl/authority.pem, which holds no certificate\n' +
        '                  → Name a file of certificates in PEM form (-----BEGIN CERTIFICATE-----), with its absolute path.\n',
    );
  });

  it('is broken between words where the terminal ends', () => {
    const text = findingText(LONG, PLAIN, 60);
    expect(text).toBe(`  !   certificates  NODE_EXTRA_CA_CERTS names
                    /etc/ssl/authority.pem, which holds no
                    certificate
                  → Name a file of certificates in PEM form
                    (-----BEGIN CERTIFICATE-----), with its
                    absolute path.
`);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(61);
  });

  it('shows what the service said without what moves a cursor', () => {
    const summary = 'refused: \u001B[2J\u001B]52;c;eA==\u0007no\r\nsuch \u202Ekey';
    expect(findingText({ check: 'token', status: 'error', summary }, PLAIN)).toBe(
      '  x   token         refused: no such key\n',
    );
  });
});

describe('the sum', () => {
  const of = (status: Finding['status']): Finding => ({ check: 'a', status, summary: '' });

  it('leaves out what is zero', () => {
    expect(findingsSum([of('ok'), of('ok')])).toBe('2 ok.');
    expect(findingsSum([of('ok'), of('warning'), of('error'), of('error'), of('unknown')])).toBe(
      '1 ok, 1 warning, 2 errors, 1 unknown.',
    );
  });
});
