import { parseBounded } from '../util/bounded-json.ts';
import { isJsonArray, isJsonObject, type Json } from '../util/json.ts';
import { err, ok, type Result } from '../util/result.ts';

export interface Envelope {
  readonly data: Json | undefined;
  readonly whole: Json | undefined;
}

const PROBLEMS = {
  'too deep': 'the body is nested too deeply',
  'too many': 'the body has more than 200,000 members',
  'no JSON': 'the body is not JSON',
} as const;

/** A record without an envelope is taken as it is; `status: failed` in an envelope is a failure of a 2xx, too. */
export function readEnvelope(body: string): Result<Envelope, string> {
  if (body.trim() === '') return ok({ data: undefined, whole: undefined });
  const parsed = parseBounded(body);
  if (!parsed.ok) return err(PROBLEMS[parsed.error]);
  const whole = parsed.value;
  if (!isJsonObject(whole)) return ok({ data: single(whole), whole });
  // A generated medium without an envelope has a status of its own, so only the status of an envelope counts.
  const isRecord = whole['data'] === undefined && whole['id'] !== undefined;
  if (!isRecord && whole['status'] === 'failed') return err('its status is failed');
  const data = isRecord ? whole : whole['data'];
  return ok({ data: data === undefined ? undefined : single(data), whole });
}

function single(value: Json): Json {
  return isJsonArray(value) && value.length === 1 ? (value[0] ?? null) : value;
}
