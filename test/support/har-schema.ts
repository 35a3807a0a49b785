/** HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/) as JSON Schema; fields of our own start with `_`. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsModule from 'ajv-formats';

const text = { type: 'string' };
const whole = { type: 'integer', minimum: -1 };
const spent = { type: 'number', minimum: 0 };
const maybeSpent = { anyOf: [spent, { const: -1 }] };

function record(required: object, optional: object = {}): object {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional, comment: text },
    patternProperties: { '^_': {} },
    additionalProperties: false,
  };
}

function listOf(items: object): object {
  return { type: 'array', items };
}

const pair = record({ name: text, value: text });
const message = {
  httpVersion: text,
  cookies: listOf(pair),
  headers: listOf(pair),
  headersSize: whole,
  bodySize: whole,
};
const postData = {
  ...record(
    { mimeType: text },
    { text, params: listOf(record({ name: text }, { value: text, fileName: text, contentType: text })) },
  ),
  oneOf: [{ required: ['text'] }, { required: ['params'] }],
};
const entry = record({
  startedDateTime: { type: 'string', format: 'date-time' },
  time: spent,
  request: record(
    { method: text, url: { type: 'string', format: 'uri' }, queryString: listOf(pair), ...message },
    { postData },
  ),
  response: record({
    status: { type: 'integer', minimum: 0, maximum: 599 },
    statusText: text,
    content: record({ size: whole, mimeType: text }, { text }),
    redirectURL: text,
    ...message,
  }),
  cache: record({}),
  timings: record({
    blocked: maybeSpent,
    dns: maybeSpent,
    connect: maybeSpent,
    ssl: maybeSpent,
    send: spent,
    wait: spent,
    receive: spent,
  }),
});
const har = record({
  log: record({
    version: { const: '1.2' },
    creator: record({ name: text, version: text }),
    entries: listOf(entry),
  }),
});

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true });
(formatsModule as unknown as (ajv: Ajv2020) => void)(ajv);
const validate = ajv.compile(har);

/** What is wrong with the text as a HAR file; empty where nothing is. */
export function harProblems(content: string): string[] {
  if (validate(JSON.parse(content))) return [];
  return (validate.errors ?? []).map(({ instancePath, message: words }) => `${instancePath} ${words ?? ''}`);
}

/** An entry as far as tests look into it. */
export interface HarEntry {
  request: {
    method: string;
    url: string;
    headers: { name: string; value: string }[];
    queryString: { name: string; value: string }[];
    postData?: { mimeType: string; text?: string; params?: object[] };
  };
  response: {
    status: number;
    headers: { name: string; value: string }[];
    content: { size: number; mimeType: string; text?: string; comment?: string };
    redirectURL: string;
    _error?: string;
  };
  time: number;
  timings: Record<string, number>;
}

/** The entries of a HAR file. */
export function harEntries(content: string): HarEntry[] {
  return (JSON.parse(content) as { log: { entries: HarEntry[] } }).log.entries;
}
