import { expect, it } from 'vitest';
import { cleanJson } from '../../src/service/clean-json.ts';
import { createSecrets } from '../../src/service/secrets.ts';
import type { Json } from '../../src/util/json.ts';

const { redact } = createSecrets(['canary/key', '12345678']);
const clean = (text: string) => {
  const value = JSON.parse(text) as Json;
  return { value, cleaned: cleanJson(value, { text, redact }) };
};

it('what holds no secret is the same value', () => {
  const { value, cleaned } = clean('{"id":"i-1","items":[{"n":12}],"none":null}');
  expect(cleaned).toBe(value);
  expect(cleanJson(undefined, { text: '', redact })).toBeUndefined();
});

it.each([
  ['a text', '{"id":"canary/key"}', { id: '[redacted]' }],
  ['a part of one, in a list', '{"items":["x-canary%2Fkey-y"]}', { items: ['x-[redacted]-y'] }],
  ['a key', '{"canary/key":1}', { '[redacted]': 1 }],
  ['a number', '{"id":12345678,"n":1}', { id: '[redacted]', n: 1 }],
  [
    'escapes',
    String.raw`{"id":"\u0063anary\/key","yes":true,"no":null}`,
    { id: '[redacted]', yes: true, no: null },
  ],
])('a secret is taken out of %s', (_, text, expected) => {
  expect(clean(text).cleaned).toEqual(expected);
});
