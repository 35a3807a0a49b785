import { expect, it } from 'vitest';
import { isLoopbackHost } from '../../src/util/loopback.ts';

it.each([
  ['http://localhost:80', true],
  ['http://LOCALHOST', true],
  ['http://127.0.0.1', true],
  ['http://127.1', true],
  ['http://127.255.255.254', true],
  ['http://0x7f.1', true],
  ['http://[::1]:8080', true],
  ['http://evil.localhost', false],
  ['http://localhost.', false],
  ['http://127.0.0.1.example.com', false],
  ['http://127.0.0.1.evil.com', false],
  ['http://128.0.0.1', false],
  ['http://10.0.0.1', false],
  ['http://[::2]', false],
  ['http://[::ffff:127.0.0.1]', false],
  ['http://localhost.example.com', false],
])('%s', (url, isLoopback) => {
  expect(isLoopbackHost(new URL(url).hostname)).toBe(isLoopback);
});

it('takes no number for an address of this machine that is none', () => {
  expect(isLoopbackHost('127.0.0.256')).toBe(false);
});
