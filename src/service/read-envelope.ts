import { isJsonArray, isJsonObject, parseJson, type Json } from '../util/json.ts';

/** Deeper answers would exhaust the stack of whoever walks or serialises them. */
const MAX_DEPTH = 64;

/** The useful part of a 2xx body and the whole of it, or what is wrong with it in our own words. */
export type EnvelopeReading =
  | { ok: true; data: Json | undefined; whole: Json | undefined }
  | { ok: false; problem: string };

/**
 * Takes `data` out of the envelope; a record without an envelope is taken as it is. A list of one record is that
 * record. `status: failed` in an envelope is a failure whatever the HTTP status says.
 */
export function readEnvelope(body: string): EnvelopeReading {
  if (body.trim() === '') return { ok: true, data: undefined, whole: undefined };
  const parsed = parseJson(body);
  if (!parsed.ok) return { ok: false, problem: 'the body is not JSON' };
  const whole = parsed.value;
  if (isDeeperThan(whole, MAX_DEPTH)) return { ok: false, problem: 'the body is nested too deeply' };
  if (!isJsonObject(whole)) return { ok: true, data: single(whole), whole };
  // A bare generated media has a status of its own, so only an envelope's status counts.
  const isRecord = whole['data'] === undefined && whole['id'] !== undefined;
  if (!isRecord && whole['status'] === 'failed') return { ok: false, problem: 'its status is failed' };
  const data = isRecord ? whole : whole['data'];
  return { ok: true, data: data === undefined ? undefined : single(data), whole };
}

function single(value: Json): Json {
  return isJsonArray(value) && value.length === 1 ? (value[0] ?? null) : value;
}

function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner: Json | undefined) => isDeeperThan(inner ?? null, levels - 1));
}
