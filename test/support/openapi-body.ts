/** Reads request bodies for openapi-check.ts, on its own: it must not share mistakes with the emulator. */
import { parseJson, type Json, type JsonObject } from '../../src/util/json.ts';
import { err, ok, type Result } from '../../src/util/result.ts';

interface ReadBody {
  /** As the document names it, without parameters. */
  readonly mediaType: string;
  readonly value: Json;
}

/** What the bytes of a body mean; a file of a form is the text `<file>`. */
export async function readBody(body: Buffer, contentType: string): Promise<Result<ReadBody, string>> {
  const mediaType = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  if (mediaType === 'application/json') {
    const json = parseJson(body.toString('utf8'));
    return json.ok ? ok({ mediaType, value: json.value }) : err('is not JSON');
  }
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData();
    const fields = [...form].map(
      ([name, value]) => [name, typeof value === 'string' ? value : '<file>'] as const,
    );
    return ok({ mediaType, value: readFields(fields) });
  } catch {
    return err(`is not ${mediaType === '' ? 'of any type' : mediaType}`);
  }
}

/** JSON text in a field, bracketed names and repeated names, as the document says. */
function readFields(fields: readonly (readonly [name: string, text: string])[]): JsonObject {
  const root: Record<string, unknown> = {};
  for (const [name, text] of fields) {
    const [key = '', ...inner] = name.split(/\[|\]\[|\]/).slice(0, name.includes('[') ? -1 : undefined);
    put(root, [key, ...inner], /^\s*[[{]/.test(text) ? (JSON.parse(text) as unknown) : text);
  }
  return asLists(root) as JsonObject;
}

function put(node: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  const name = key === '' ? String(Object.keys(node).length) : key;
  if (rest.length > 0) put((node[name] ??= {}) as Record<string, unknown>, rest, value);
  else node[name] = name in node ? [node[name], value].flat() : value;
}

/** Objects whose names are all numbers were lists. */
function asLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asLists);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, asLists(inner)] as const);
  const isList = entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
