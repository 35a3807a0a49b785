/**
 * Fault rules: what the emulator does wrong, where, and when. They are plain data, the same in the process, over the
 * control route and in a profile, where they are called `orders`. If several rules match a call, the first whose
 * `when` holds is played.
 */

export interface FaultRule {
  /**
   * `METHOD /path/` as in the interface, any id written `{id}`: `POST /products/`, `GET /media/{id}/{id}/`,
   * `GET /files/{id}`; a list of these; `*` for every endpoint; `generation` for the making of a post.
   */
  readonly on: string | readonly string[];
  /** All given conditions must hold; without it the rule always holds. */
  readonly when?: When;
  readonly do: Fault;
}

/**
 * Which of the calls that match `on`. Calls are counted per rule, from 1, and time runs, from the moment when the
 * rule came into force: at the emulator's start, or when it replaced others.
 */
export interface When {
  /** Calls with these numbers. */
  readonly nth?: number | readonly number[];
  /** The call with this number and all after it. */
  readonly from?: number;
  /** This part of the calls, drawn at random: 0.05 for 5 %. */
  readonly share?: number;
  /** At most this many calls. */
  readonly times?: number;
  /** Milliseconds since the rule came into force: not before the first, not after the second. */
  readonly afterMs?: number;
  readonly untilMs?: number;
  /**
   * Calls beyond this many within one second. Calls that got the fault do not count. With status 429 this is a rate
   * limit.
   */
  readonly perSecond?: number;
}

/** Before: the request changed nothing. After: it was carried out, and only its answer is affected. */
export type Effect = 'before' | 'after';

/** What happens to the call. A request that changes nothing is read to its end all the same. */
export type Fault =
  /** Answers with this status in the envelope of failure. Default effect: before. */
  | {
      readonly fault: 'status';
      readonly status: number;
      readonly effect?: Effect;
      readonly retryAfter?: RetryAfter;
      readonly message?: string;
    }
  /** Waits, then goes on as usual. */
  | { readonly fault: 'delay'; readonly ms: number }
  /** Ends the connection without an answer: FIN, or RST. */
  | { readonly fault: 'cut'; readonly effect: Effect; readonly reset?: boolean }
  /** Never answers. */
  | { readonly fault: 'silence'; readonly effect: Effect }
  /** Carried out; the answer ends in its middle. `none`: no length was declared, so only the content shows it. */
  | { readonly fault: 'half-body'; readonly length: 'declared' | 'chunked' | 'none' }
  /** Carried out; head and body of the answer contradict each other. */
  | { readonly fault: 'framing'; readonly how: Framing }
  /** Carried out; the answer comes a few bytes at a time, at this interval. */
  | { readonly fault: 'drip'; readonly everyMs: number; readonly bytes?: number }
  /** Carried out and answered with 2xx, but with this body. */
  | { readonly fault: 'body'; readonly body: WrongBody }
  /** Not carried out; answers with a redirect. */
  | {
      readonly fault: 'redirect';
      readonly to: 'same' | 'other-host' | 'other-port' | 'other-scheme';
      readonly status?: 301 | 302 | 303 | 307 | 308;
    }
  /** Only on `generation`. */
  | { readonly fault: 'generation'; readonly how: GenerationFault; readonly message?: string };

/** Seconds, an HTTP date so many seconds from now, or any text. */
export type RetryAfter = number | string | { readonly dateInSeconds: number };

/**
 * A Content-Length two bytes short, or of zero · a 204 with the body · a chunk without a size · 101 · a head without an
 * end · something behind the body · the answer twice
 */
export type Framing =
  | 'short-length'
  | 'zero-length'
  | 'no-content'
  | 'chunk-size'
  | 'upgrade'
  | 'endless-head'
  | 'garbage'
  | 'twice';

export type WrongBody =
  | 'html'
  | 'empty'
  | 'not-json'
  | 'null'
  | 'list'
  | 'failed-envelope'
  /** The id of the answer (of a token or an upload: the token, the URL) is 12345, empty, or 10 MB long. */
  | 'number-id'
  | 'empty-id'
  | 'long-id'
  /** `../../etc/passwd`, and `__proto__`. */
  | 'path-id'
  | 'prototype-id'
  | 'no-data'
  /** The right answer, and beside it a hundred thousand nested lists. */
  | 'deep'
  /** 100 MB of JSON. */
  | 'huge'
  /** 1 MB of gzip that unpacks to 1 GB, whatever encodings the client accepts. */
  | 'gzip-bomb'
  /** A web page with the content type of a picture: only for `GET /files/{id}`. */
  | 'wrong-type';

/** fails · never ends · done once, then running again for two answers · one answer, then 404 · an unknown status */
export type GenerationFault = 'fails' | 'stuck' | 'goes-back' | 'disappears' | 'unknown-status';
