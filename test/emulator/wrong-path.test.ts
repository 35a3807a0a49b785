import { expect, it } from 'vitest';
import { strayRequest } from '../../src/emulator/requests/wrong-path.ts';

const BASE = 'Every path begins with /api/: does the base URL lack it?';
const SLASHES = 'The path has two slashes in a row: does the base URL end with one too many?';

it.each([
  ['POST', '/products/', BASE],
  ['POST', '/apis/products/', BASE],
  ['POST', '/', BASE],
  ['POST', '/api//products/', SLASHES],
  ['POST', '//api/products/', SLASHES],
  ['PATCH', '/api/media-config/', 'This path takes POST.'],
  ['PUT', '/api/products', 'This path takes POST.'],
  ['POST', '/api/products/1', 'This path takes GET, PUT, PATCH, DELETE.'],
  ['GET', `/api/products/${'a'.repeat(101)}/`, 'An id in it is too long.'],
  ['GET', '/api/nothing/', 'The service has no such path.'],
  ['GET', '/api/products/1/2/3/', 'The service has no such path.'],
  ['GET', '/api/products/%E0%A4%A/', 'A percent sign stands for nothing in it.'],
  ['GET', '/_control/orders', 'Control routes are there with --control; docs/emulator.md lists them.'],
])('%s %s', (method, path, hint) => {
  expect(strayRequest(method, path)).toEqual({ method, path, hint });
});

it('tells no query, which may hold a key', () => {
  expect(strayRequest('GET', '/products/?api_key=secret').path).toBe('/products/');
});
