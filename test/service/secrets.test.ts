import { expect, it } from 'vitest';
import { createSecrets } from '../../src/service/secrets.ts';

const SECRET = `p&ss "1/2"`;

it.each([
  ['as it is', SECRET],
  ['in a URL', encodeURIComponent(SECRET)],
  ['in a URL, with small letters', encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase())],
  ['in a form', encodeURIComponent(SECRET).replaceAll('%20', '+')],
  ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['in HTML, by name', 'p&amp;ss &quot;1/2&quot;'],
  ['in HTML, by number', 'p&#38;ss &#34;1/2&#34;'],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['in base64 for URLs', Buffer.from(SECRET).toString('base64url')],
  ['in hexadecimal', Buffer.from(SECRET).toString('hex')],
  ['in hexadecimal, with capitals', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ['in a URL, letter by letter', Buffer.from(SECRET).toString('hex').replace(/../g, '%$&')],
])('a secret is taken out %s', (_, spelled) => {
  expect(createSecrets([SECRET]).redact(`<${spelled}> ${spelled}`)).toBe('<[redacted]> [redacted]');
});

it.each(['', 'a', 'ab', 'abc'])('a secret is taken out of base64 behind "%s"', (before) => {
  const secret = 'canary-key~~~?5f1d>>';
  for (const form of ['base64', 'base64url'] as const) {
    const left = createSecrets([secret]).redact(Buffer.from(`${before}${secret}, and more`).toString(form));
    expect(left).toContain('[redacted]');
    expect(Buffer.from(left.replace('[redacted]', ''), form).toString()).not.toMatch(/canary|key|5f1d/);
    expect(left.length).toBeLessThan(40);
  }
});

it('a text of three characters is no secret: it would blot out words', () => {
  expect(createSecrets(['key']).redact('monkey')).toBe('monkey');
});

it('a secret that holds another one goes as a whole', () => {
  const secrets = createSecrets(['token']);
  secrets.add('token-2');
  expect(secrets.redact('token-2 token')).toBe('[redacted] [redacted]');
});

it('the first ones stay however many tokens follow', () => {
  const secrets = createSecrets(['the-key']);
  for (let n = 0; n < 1_500; n++) secrets.add(`token-${String(n).padStart(5, '0')}`);
  expect(secrets.redact('the-key token-01499 token-00600')).toBe('[redacted] [redacted] [redacted]');
});
