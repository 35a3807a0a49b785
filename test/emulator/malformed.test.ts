import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRig, type Rig } from './harness.ts';
import { headerOf, sendBytes, statusOf } from './raw-client.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ control: 'on' });
});
afterAll(() => rig.close());

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=X';
const UPLOAD = '/api/upload-media/';
const PRODUCTS = '/api/products/';
const DEEP = 'body: lists or objects stand in each other too deep';
const LONG = `/api/products/${'a'.repeat(200)}`;
const NO_JSON = 'a request field is not a valid JSON as declared by its Content-Type';
const CUT = 'body: Unexpected end of multipart data';

function part(name: string, value: string, more = ''): string {
  return `--X\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
}

const END = '--X--\r\n';

/** Head of a request that is all right but for what is added. */
function head(start: string, ...lines: string[]): string {
  const { host } = new URL(rig.url);
  const all = [
    `${start} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${rig.token}`,
    'connection: close',
  ];
  return `${[...all, ...lines].join('\r\n')}\r\n\r\n`;
}

function post(path: string, type: string, body: string): string {
  return head(`POST ${path}`, `content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`) + body;
}

/** Status and message of an answer that is in the envelope of failure. */
async function refusal(bytes: string): Promise<[status: number, message: string]> {
  const answer = await sendBytes(rig, bytes);
  expect(headerOf(answer, 'content-type')).toMatch(/^application\/json/);
  const text = answer.body.toString().replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, '');
  const { message, status } = JSON.parse(text) as { message: string; status: string };
  expect(status).toBe('failed');
  return [statusOf(answer), message];
}

describe('what cannot be read is refused in the envelope', () => {
  const deepJson = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const noName = '--X\r\nContent-Disposition: form-data\r\n\r\nx\r\n';
  const badJson =
    '--X\r\nContent-Disposition: form-data; name="name"\r\nContent-Type: application/json\r\n\r\n{\r\n';
  const deepPart = badJson.replace('{', deepJson);
  const large = 'x'.repeat(17 * 1024 * 1024);

  it.each<[what: string, path: string, type: string, body: string, answer: [number, string]]>([
    ['JSON', PRODUCTS, JSON_TYPE, '{"a":', [400, 'body: not valid JSON']],
    ['deep JSON', PRODUCTS, JSON_TYPE, deepJson, [400, DEEP]],
    ['a deep part of JSON text', PRODUCTS, JSON_TYPE, `{"a":${deepJson}}`, [400, DEEP]],
    ['a deep form', PRODUCTS, FORM, `a${'[b]'.repeat(10_000)}=1`, [400, DEEP]],
    ['a deep field', PRODUCTS, MULTIPART, part(`a${'[b]'.repeat(10_000)}`, '1') + END, [400, DEEP]],
    ['a deep part that is JSON', PRODUCTS, MULTIPART, deepPart + END, [400, DEEP]],
    [
      'multipart without a boundary',
      PRODUCTS,
      'multipart/form-data',
      'x',
      [400, 'body: Multipart: Boundary not found'],
    ],
    ['a field that is cut off', PRODUCTS, MULTIPART, part('name', 'x').slice(0, -4), [400, CUT]],
    ['multipart without an end', PRODUCTS, MULTIPART, part('name', 'x'), [400, CUT]],
    ['what is no multipart', PRODUCTS, MULTIPART, 'garbage', [400, CUT]],
    ['a field without a name', PRODUCTS, MULTIPART, noName + END, [400, 'body: a field has no name']],
    ['a part of JSON that is none', PRODUCTS, MULTIPART, badJson + END, [400, NO_JSON]],
    [
      'a field named like a part of every object',
      PRODUCTS,
      MULTIPART,
      part('__proto__', 'x') + END,
      [400, 'prototype property is not allowed as field name'],
    ],
    ['too many parts', PRODUCTS, MULTIPART, part('a', 'x').repeat(1_001) + END, [413, 'reach parts limit']],
    ['a body that is too large', PRODUCTS, JSON_TYPE, `"${large}"`, [413, 'Request body is too large']],
    ['a field that is too large', PRODUCTS, MULTIPART, part('name', large) + END, [413, 'body: too large']],
    ['XML', PRODUCTS, 'text/xml', '<a/>', [415, 'Unsupported Media Type']],
    ['text', PRODUCTS, 'text/plain', '{}', [415, 'Unsupported Media Type']],
    [
      'an upload that is cut off',
      UPLOAD,
      MULTIPART,
      part('file', 'x', '; filename="a.png"').slice(0, -4),
      [400, CUT],
    ],
    ['an upload that is no multipart', UPLOAD, MULTIPART, 'garbage', [400, CUT]],
    [
      'an upload without a boundary',
      UPLOAD,
      'multipart/form-data',
      'x',
      [400, 'body: Multipart: Boundary not found'],
    ],
  ])('%s', async (_what, path, type, body, answer) => {
    expect(await refusal(post(path, type, body))).toEqual(answer);
  });

  it('orders', async () => {
    const put = (body: string) => post('/_control/orders', JSON_TYPE, body).replace('POST', 'PUT');
    expect(await refusal(put('['))).toEqual([400, 'body: not valid JSON']);
    expect(await refusal(put(deepJson))).toEqual([400, DEEP]);
  });

  it('as the behaviour has it', async () => {
    rig.emulator.switch({ refusalStatus: 422 });
    expect(await refusal(post(PRODUCTS, MULTIPART, 'garbage'))).toEqual([422, CUT]);
    expect(await refusal(post(PRODUCTS, MULTIPART, badJson + END))).toEqual([422, NO_JSON]);
    rig.emulator.switch({ refusalStatus: 400 });
  });

  it.each([
    ['/api/products/%E0%A4%A/', 400, "'/api/products/%E0%A4%A/' is not a valid url component"],
    ['/%', 400, "'/%' is not a valid url component"],
    ['/_control/%zz', 400, "'/_control/%zz' is not a valid url component"],
    [LONG, 414, `'${LONG}' is exceeding the max param length`],
    ['/products/', 404, 'No such endpoint.'],
    ['/api//products/', 404, 'No such endpoint.'],
    ['/api/products/', 404, 'No such endpoint.'],
  ])('the path %s', async (path, status, message) => {
    expect(await refusal(head(`GET ${path}`))).toEqual([status, message]);
  });

  it('what is no request', async () => {
    const start = head(`POST ${PRODUCTS}`, 'content-type: application/json').slice(0, -2);
    const cases: [bytes: string, status: number][] = [
      ['\u0016\u0003\u0001\r\n\r\n', 400],
      [head('FOO /'), 400],
      [`${start}transfer-encoding: chunked\r\n\r\nzz\r\n`, 400],
      [`${start}content-length: a\r\n\r\n`, 400],
      [head('GET /', `x: ${'a'.repeat(100_000)}`), 431],
    ];
    for (const [bytes, expected] of cases) {
      const [status, message] = await refusal(bytes);
      // What is wrong with it are the words of node's parser, and change with its version.
      expect([status, message]).toEqual([expected, expect.stringMatching(/^The request cannot be read: /)]);
    }
    expect(await refusal(head('GET /', 'expect: miracles'))).toEqual([
      417,
      'The service meets no expectations but 100-continue.',
    ]);
  });

  it('and the next request is served', async () => {
    expect((await rig.call('GET', '/products/00000000-0000-4000-8000-000000000001/')).status).toBe(404);
  });
});

describe('the host of a request', () => {
  const REFUSED =
    'This service is for programs on this machine: the host must be 127.0.0.1, localhost or [::1], with its port.';

  function get(path: string, ...lines: string[]): string {
    return `${[`GET ${path} HTTP/1.1`, 'connection: close', ...lines].join('\r\n')}\r\n\r\n`;
  }

  it.each(['127.0.0.1', 'localhost', 'LocalHost', '[::1]'])('may be %s', async (name) => {
    const host = `host: ${name}:${new URL(rig.url).port}`;
    expect(await refusal(get('/api/files/x', host))).toEqual([404, 'No such file.']);
  });

  it.each([
    'evil.example:PORT',
    'evil.localhost:PORT',
    '127.0.0.1.evil.example:PORT',
    'a@127.0.0.1:PORT',
    '127.0.0.2:PORT',
    '127.0.0.1:PORT:PORT',
    '127.0.0.1:1',
    '127.0.0.1',
    '127a0b0c1:PORT',
    '',
  ])('may not be "%s"', async (name) => {
    const host = `host: ${name.replaceAll('PORT', new URL(rig.url).port)}`;
    for (const path of ['/api/files/x', '/nothing', '/_control/ledger'])
      expect(await refusal(get(path, host))).toEqual([403, REFUSED]);
    expect(rig.emulator.calls.every(({ path }) => path !== '/nothing')).toBe(true);
  });

  it('is told', async () => {
    expect(await refusal(get('/api/files/x'))).toEqual([403, REFUSED]);
  });

  it('is that of the URL where the path is one', async () => {
    const { host } = new URL(rig.url);
    const line = `host: ${host}`;
    expect(await refusal(get('http://evil.example/api/files/x', line))).toEqual([403, REFUSED]);
    expect(await refusal(get(`http://${host}/api/files/x`, 'host: evil.example'))).toEqual([
      404,
      'No such file.',
    ]);
  });
});
