import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJson, type Json } from '../../util/json.ts';
import { readForm } from './form.ts';
import { asMalformed, isTooDeep, malformed } from './malformed.ts';

/** Larger bodies are refused, those of uploads excepted. */
export const BODY_LIMIT = 16 * 1024 * 1024;

const TOO_DEEP = 'body: lists or objects stand in each other too deep';

/** Reads JSON and forms. Multipart bodies are read elsewhere, other content types get 415. */
export function readTextBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    // Some clients send the header with every request, a DELETE without a body included.
    const json = parseJson(body === '' ? '{}' : String(body));
    if (!json.ok) done(malformed('body: not valid JSON'));
    else if (isTooDeep(json.value)) done(malformed(TOO_DEEP));
    else done(null, json.value);
  });
  const form = 'application/x-www-form-urlencoded';
  app.addContentTypeParser(form, { parseAs: 'string' }, (_request, body, done) => {
    const json = readForm(new URLSearchParams(String(body)));
    if (json === undefined) done(malformed(TOO_DEEP));
    else done(null, json);
  });
}

/** The body of a request in any of the three encodings, as the JSON it means; an absent body is an empty object. */
export async function readBody(request: FastifyRequest): Promise<Json> {
  // JSON and urlencoded bodies went through the parsers above, which give JSON.
  if (!request.isMultipart()) return (request.body ?? {}) as Json;
  const json = readForm(await readFields(request));
  if (json === undefined) throw malformed(TOO_DEEP);
  return json;
}

async function readFields(request: FastifyRequest): Promise<[name: string, value: string][]> {
  const fields: [string, string][] = [];
  let bytes = 0;
  const limits = { fieldSize: BODY_LIMIT };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') {
        part.file.resume();
        continue;
      }
      const value = textOfField(part.value as Json);
      bytes += Buffer.byteLength(value);
      if (part.valueTruncated || bytes > BODY_LIMIT) throw malformed('body: too large', 413);
      if (!part.fieldname) throw malformed('body: a field has no name');
      fields.push([part.fieldname, value]);
    }
  } catch (error) {
    throw asMalformed(error);
  }
  return fields;
}

/** A part with the content type of JSON is parsed already. */
function textOfField(value: Json): string {
  if (typeof value === 'string') return value;
  if (isTooDeep(value)) throw malformed(TOO_DEEP);
  return JSON.stringify(value);
}
