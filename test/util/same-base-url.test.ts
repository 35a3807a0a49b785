import { expect, it } from 'vitest';
import { isSameBaseUrl } from '../../src/util/same-base-url.ts';

it.each([
  ['https://a.example.com/api', 'https://a.example.com/api/', true],
  ['https://a.example.com', 'https://a.example.com//', true],
  ['https://A.Example.com/api', 'https://a.example.com/api', true],
  ['https://a.example.com:443/api', 'https://a.example.com/api', true],
  ['http://127.0.0.1:80', 'http://127.0.0.1', true],
  ['https://a.example.com/api', 'https://a.example.com/API', false],
  ['https://a.example.com:8443', 'https://a.example.com', false],
  ['http://127.0.0.1', 'https://127.0.0.1', false],
  ['emulator', 'emulator', true],
  ['emulator', 'https://emulator', false],
  ['', 'emulator', false],
])('%j and %j: %j', (a, b, same) => {
  expect([isSameBaseUrl(a, b), isSameBaseUrl(b, a)]).toEqual([same, same]);
});
