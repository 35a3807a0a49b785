import type { FastifyRequest } from 'fastify';
import type { Json } from '../../util/json.ts';
import { readForm } from './form.ts';

/** The body of a request in any of the three encodings, as the JSON it means; an absent body is an empty object. */
export async function readBody(request: FastifyRequest): Promise<Json> {
  // JSON and urlencoded bodies went through the parsers that the server registered, which give JSON.
  if (!request.isMultipart()) return (request.body ?? {}) as Json;
  const fields: [string, string][] = [];
  for await (const part of request.parts()) {
    if (part.type === 'file') part.file.resume();
    else
      fields.push([part.fieldname, typeof part.value === 'string' ? part.value : JSON.stringify(part.value)]);
  }
  return readForm(fields);
}
