import { expect, it } from 'vitest';
import { checkHar } from '../support/openapi-har.ts';
import type { HarEntry } from '../support/har-schema.ts';

const BASE = 'http://127.0.0.1:4010/api';
const JSON_TYPE = { name: 'Content-Type', value: 'application/json' };
const TOKEN = { name: 'authorization', value: '[redacted]' };

type Sent = Partial<HarEntry['request']> & { path: string };

function entryOf({ path, ...sent }: Sent, answer: { status: number; json: unknown }): HarEntry {
  const text = JSON.stringify(answer.json);
  const content = { size: text.length, mimeType: 'application/json', text };
  return {
    request: { method: 'POST', url: BASE + path, headers: [TOKEN, JSON_TYPE], queryString: [], ...sent },
    response: { status: answer.status, headers: [JSON_TYPE], content, redirectURL: '' },
    time: 1,
    timings: {},
  };
}

const REFUSED = { status: 400, json: { status: 'failed', message: 'no' } };
const CONCEPT = { name: 'Night', description: 'Neon' };
const formOf = (name: string): Sent => ({
  path: '/upload-media/',
  postData: { mimeType: 'multipart/form-data; boundary=x', params: [{ name, fileName: 'a.jpg' }] },
});
const concept = (body: object): Sent => ({
  path: '/concepts/',
  postData: { mimeType: 'application/json', text: JSON.stringify(body) },
});

it('passes over what is right, files, other hosts and requests without an answer', async () => {
  const entries = [
    entryOf(concept(CONCEPT), REFUSED),
    entryOf(formOf('file'), REFUSED),
    entryOf({ path: '/files/1.png', method: 'GET' }, { status: 200, json: 7 }),
    entryOf({ path: '', url: 'https://cdn.example.com/1.png' }, { status: 200, json: 7 }),
    entryOf(concept(CONCEPT), { status: 0, json: null }),
  ];
  expect(await checkHar(entries, BASE)).toEqual([]);
});

it('tells what is wrong with requests and answers, each once', async () => {
  const wrong = entryOf(concept({ name: 7 }), { status: 201, json: {} });
  const entries = [
    wrong,
    wrong,
    entryOf(formOf('photo'), REFUSED),
    entryOf({ ...concept(CONCEPT), headers: [JSON_TYPE] }, { status: 302, json: null }),
    entryOf({ path: '/brands/' }, REFUSED),
  ];
  expect(await checkHar(entries, BASE)).toEqual([
    "POST /concepts/ request  must have required property 'description'",
    'POST /concepts/ request /name must be string,null',
    "POST /concepts/ 201  must have required property 'message'",
    "POST /concepts/ 201  must have required property 'status'",
    "POST /concepts/ 201  must have required property 'data'",
    "POST /upload-media/ request  must have required property 'file'",
    'POST /upload-media/ request  must NOT have additional properties: "photo"',
    'POST /concepts/ request carries no bearer token',
    'POST /concepts/ 302 is not an answer of this endpoint',
    'POST /brands/ is not in the document',
  ]);
});
