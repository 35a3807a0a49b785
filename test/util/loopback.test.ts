import { expect, it } from 'vitest';
import { isLoopbackHost } from '../../src/util/loopback.ts';

it.each([
  ['http://localhost:80', true],
  ['http://app.localhost', true],
  ['http://127.0.0.1', true],
  ['http://127.1', true],
  ['http://[::1]:8080', true],
  ['http://127.0.0.1.example.com', false],
  ['http://10.0.0.1', false],
  ['http://localhost.example.com', false],
])('%s', (url, isLoopback) => {
  expect(isLoopbackHost(new URL(url).hostname)).toBe(isLoopback);
});
