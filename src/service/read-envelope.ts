import { parseBounded } from '../util/bounded-json.ts';
import { isJsonArray, isJsonObject, type Json } from '../util/json.ts';

/** The useful part of a 2xx body and all of it, or what is wrong with it. */
export type EnvelopeReading =
  | { ok: true; data: Json | undefined; whole: Json | undefined }
  | { ok: false; problem: string };

const PROBLEMS = {
  'too deep': 'the body is nested too deeply',
  'too many': 'the body has more than 200,000 members',
  'no JSON': 'the body is not JSON',
} as const;

/**
 * Takes `data` out of the envelope; a record without an envelope is taken as it is, and a list of one record as that
 * record. `status: failed` in an envelope is a failure whatever the HTTP status is.
 */
export function readEnvelope(body: string): EnvelopeReading {
  if (body.trim() === '') return { ok: true, data: undefined, whole: undefined };
  const parsed = parseBounded(body);
  if (!parsed.ok) return { ok: false, problem: PROBLEMS[parsed.why] };
  const whole = parsed.value;
  if (!isJsonObject(whole)) return { ok: true, data: single(whole), whole };
  // A generated medium without an envelope has a status of its own, so only the status of an envelope counts.
  const isRecord = whole['data'] === undefined && whole['id'] !== undefined;
  if (!isRecord && whole['status'] === 'failed') return { ok: false, problem: 'its status is failed' };
  const data = isRecord ? whole : whole['data'];
  return { ok: true, data: data === undefined ? undefined : single(data), whole };
}

function single(value: Json): Json {
  return isJsonArray(value) && value.length === 1 ? (value[0] ?? null) : value;
}
