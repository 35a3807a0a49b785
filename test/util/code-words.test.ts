import { expect, it } from 'vitest';
import { codeWords, isMisconfiguration } from '../../src/util/code-words.ts';

it.each([
  ['ECONNREFUSED', 'connection refused, ECONNREFUSED'],
  ['ENOTFOUND', 'host not found, ENOTFOUND'],
  ['HPE_INVALID_CONSTANT', 'what came is no HTTP, HPE_INVALID_CONSTANT'],
  ['HPE_HEADER_OVERFLOW', 'its headers are too large, HPE_HEADER_OVERFLOW'],
  ['CERT_HAS_EXPIRED', 'the certificate has expired, CERT_HAS_EXPIRED'],
  ['ESOMETHINGNEW', 'ESOMETHINGNEW'],
  ['toString', 'toString'],
])('%s', (code, words) => {
  expect(codeWords(code)).toBe(words);
});

it.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
  ['ERR_PROXY_AUTHENTICATION', true],
  ['ECONNRESET', false],
  ['EPROTO', true],
  ['toString', false],
  [undefined, false],
])('%s: trying again is pointless: %s', (code, expected) => {
  expect(isMisconfiguration(code)).toBe(expected);
});
