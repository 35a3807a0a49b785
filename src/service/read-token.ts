import { isJsonObject, type Json } from '../util/json.ts';

/** Larger values are epoch milliseconds (1973 in milliseconds, 5138 in seconds). */
const EPOCH_MS_FROM = 100_000_000_000;
/** Larger values are epoch seconds (2001); as a lifetime it would be 31 years. */
const EPOCH_S_FROM = 1_000_000_000;

/** No server accepts a longer header. */
const MAX_TOKEN_LENGTH = 16_384;

export interface IssuedToken {
  value: string;
  /** Undefined: not known, so the token is used until it is refused. */
  lifeMs: number | undefined;
}

/** `nowMs` is the service's own time where the answer says it. */
export function readToken(data: Json | undefined, nowMs: number): IssuedToken | undefined {
  if (!isJsonObject(data)) return undefined;
  const value = data['access_token'];
  // Other values cannot be part of a header.
  if (typeof value !== 'string' || value.length > MAX_TOKEN_LENGTH) return undefined;
  if (!/^[\u0021-\u007E]+$/.test(value)) return undefined;
  return { value, lifeMs: readTokenLife(data['expires_at'], nowMs) };
}

/** Milliseconds: the size of `expires_at` shows whether it is a time in seconds or milliseconds, or a life. */
export function readTokenLife(expiresAt: Json | undefined, nowMs: number): number | undefined {
  if (expiresAt === undefined || expiresAt === null || expiresAt === '') return undefined;
  const value = Number(expiresAt);
  if (!Number.isFinite(value)) return undefined;
  const unit = expiryUnit(value);
  const ms = unit === 'epoch milliseconds' ? value : value * 1000;
  const life = unit === 'a lifetime in seconds' ? ms : ms - nowMs;
  return life > 0 ? life : undefined;
}

export function expiryUnit(value: number): 'epoch seconds' | 'epoch milliseconds' | 'a lifetime in seconds' {
  if (value > EPOCH_MS_FROM) return 'epoch milliseconds';
  return value > EPOCH_S_FROM ? 'epoch seconds' : 'a lifetime in seconds';
}
