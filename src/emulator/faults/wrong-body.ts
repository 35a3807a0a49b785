import type { Readable } from 'node:stream';
import { isJsonArray, isJsonObject, type Json, type JsonObject, parseJson } from '../../util/json.ts';
import type { WrongBody } from '../fault-rules/fault-rule.ts';
import { gzipBomb, hugeJson } from './flood.ts';

/** A body that is not what was asked for, and the headers that go with it. */
export interface Wrong {
  readonly body: string | Readable;
  readonly headers: Readonly<Record<string, string>>;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };
const PAGE =
  '<!DOCTYPE html>\n<html><head><title>Gateway</title></head><body><h1>We will be right back</h1></body></html>\n';
const DEEP_LISTS = 100_000;
const LONG_ID_BYTES = 10 * 1024 * 1024;

/** What is sent in the place of `right`, the text of the real answer. */
export function wrongBody(kind: WrongBody, right: string): Wrong {
  switch (kind) {
    case 'html':
      return { body: PAGE, headers: HTML_TYPE };
    case 'wrong-type':
      return { body: PAGE, headers: {} };
    case 'empty':
      return { body: '', headers: {} };
    case 'not-json':
      return { body: 'Status: created\n', headers: JSON_TYPE };
    case 'null':
      return { body: 'null', headers: JSON_TYPE };
    case 'list':
      return { body: '[]', headers: JSON_TYPE };
    case 'failed-envelope':
      return json({ message: 'It did not work.', status: 'failed' });
    case 'no-data':
      return json({ message: 'It worked.', status: 'success' });
    case 'number-id':
      return withId(right, 12345);
    case 'empty-id':
      return withId(right, '');
    case 'long-id':
      return withId(right, 'x'.repeat(LONG_ID_BYTES));
    case 'path-id':
      return withId(right, '../../etc/passwd');
    case 'prototype-id':
      return withId(right, '__proto__');
    case 'deep':
      return { body: deepened(right), headers: JSON_TYPE };
    case 'huge':
      return { body: hugeJson(), headers: JSON_TYPE };
    case 'gzip-bomb':
      return { body: gzipBomb(), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } };
  }
}

function json(value: Json): Wrong {
  return { body: JSON.stringify(value), headers: JSON_TYPE };
}

/** Built as text, because a program that walks such a structure may fail. */
function deepened(right: string): string {
  const [open, close] = ['[', ']'].map((bracket) => bracket.repeat(DEEP_LISTS));
  return `${right.trimEnd().replace(/\}$/, '')},"extra":${open}${close}}`;
}

/** Fields of an answer that name what was made, or hold the token. */
const ID_FIELDS = ['id', 'access_token', 'url', 'media_url', 'file_url'];

function withId(right: string, id: Json): Wrong {
  const answer = parseJson(right);
  const whole = answer.ok && isJsonObject(answer.value) ? answer.value : {};
  const { data } = whole;
  const top = idField(whole);
  if (data === undefined && top !== undefined) return json({ ...whole, [top]: id });
  return json({ ...whole, data: replaced(data, id) });
}

function replaced(data: Json | undefined, id: Json): Json {
  if (isJsonArray(data)) return data.map((entry) => replaced(entry, id));
  if (!isJsonObject(data)) return typeof data === 'string' ? id : { id };
  const field = idField(data);
  if (field !== undefined) return { ...data, [field]: id };
  return Object.fromEntries(Object.entries(data).map(([name, inner]) => [name, replaced(inner, id)]));
}

function idField(data: JsonObject): string | undefined {
  return ID_FIELDS.find((name) => name in data);
}
