/** Every fault of the matrix: what the service, the network or the clock does, and the column of the table that it is. */
import type { Behaviour, FaultRule } from '../../src/emulator/emulator.ts';
import type { RequestTimeouts } from '../../src/service/connections.ts';

/** The columns of the retry table; some are split by what a status proves. */
export type Column =
  | 'not sent'
  | 'no answer'
  | 'bad body'
  | '401 once'
  | '401'
  | '429'
  | 'long 429'
  | '4xx'
  | 'passing 4xx'
  | 'conflict'
  | 'redirect'
  | '5xx'
  | 'proven 5xx'
  | 'harmless';

/** How a fault comes about. */
export type Means =
  /** The emulator does it. */
  | { readonly by: 'order'; readonly do: FaultRule['do'] }
  /** The door in front of the service is shut once the token was given. */
  | { readonly by: 'gate'; readonly how: 'refuse' | 'hang' }
  /** TLS is spoken to a port that knows none. */
  | { readonly by: 'tls' }
  /** A gap of the interface is filled in another way. */
  | { readonly by: 'switch'; readonly behaviour: Partial<Behaviour> }
  /** Our clock is wrong by so much. */
  | { readonly by: 'clock'; readonly offsetMs: number };

export interface Fault {
  readonly name: string;
  readonly column: Column;
  readonly means: Means;
  /** What the user is told besides the summary of its class. */
  readonly says?: RegExp;
  /** Shorter limits of time, where the fault is that time passes. */
  readonly timeouts?: Partial<RequestTimeouts>;
  /** The service tells another id than the one it made: nobody can know of that one. */
  readonly lies?: true;
  /** Played once where repeating helps: every time would take long and show nothing more. */
  readonly brief?: true;
  /** `service.nothing_done` of the manifest. */
  readonly nothingDone?: readonly (number | string)[];
}

const HOUR_MS = 3_600_000;
const SHORT_IDLE = { idleMs: 120 };
const SHORT_TOTAL = { totalMs: 250, fileMs: 250 };

/** Everything that a terminal could be made to do. */
const HOSTILE_MESSAGE =
  'no\u001B[2J\u001B]52;c;ZXZpbA==\u0007\u009B31m\r\u202Eevil\u0008<script>alert(1)</script>"';

type BodyFault = Extract<FaultRule['do'], { fault: 'body' }>['body'];

export const FAULTS: readonly Fault[] = [
  { name: 'connection refused', column: 'not sent', means: { by: 'gate', how: 'refuse' } },
  {
    name: 'connection never comes about',
    column: 'not sent',
    means: { by: 'gate', how: 'hang' },
    timeouts: { connectMs: 100 },
  },
  { name: 'TLS handshake fails', column: 'not sent', means: { by: 'tls' } },

  ...(['before', 'after'] as const).flatMap((effect): Fault[] => [
    cut(`FIN ${effect} the effect`, { fault: 'cut', effect }),
    cut(`RST ${effect} the effect`, { fault: 'cut', effect, reset: true }),
    {
      ...cut(`silence ${effect} the effect`, { fault: 'silence', effect }),
      timeouts: SHORT_IDLE,
      brief: true,
    },
  ]),

  ...(['declared', 'chunked', 'none'] as const).map((length) =>
    badBody(`half a body, length ${length}`, { fault: 'half-body', length }),
  ),
  {
    ...badBody('a body that drips', { fault: 'drip', everyMs: 30, bytes: 1 }),
    timeouts: SHORT_TOTAL,
    brief: true,
  },
  ...(
    [
      'html',
      'not-json',
      'empty',
      'null',
      'list',
      'no-data',
      'failed-envelope',
      'empty-id',
      'wrong-type',
      'deep',
      'path-id',
      'prototype-id',
    ] satisfies BodyFault[]
  ).map((body) => badBody(`body: ${body}`, { fault: 'body', body })),
  { ...badBody('body: number-id', { fault: 'body', body: 'number-id' }), lies: true },
  ...(['long-id', 'huge', 'gzip-bomb'] satisfies BodyFault[]).map(
    (body): Fault => ({ ...badBody(`body: ${body}`, { fault: 'body', body }), brief: true }),
  ),

  ...(['short-length', 'zero-length', 'no-content', 'chunk-size'] as const).map((how) =>
    badBody(`framing: ${how}`, { fault: 'framing', how }),
  ),
  cut('framing: upgrade', { fault: 'framing', how: 'upgrade' }),
  {
    ...cut('framing: endless-head', { fault: 'framing', how: 'endless-head' }),
    timeouts: SHORT_TOTAL,
    brief: true,
  },
  ...(['garbage', 'twice'] as const).map((how) =>
    harmless(`framing: ${how}`, { by: 'order', do: { fault: 'framing', how } }),
  ),

  { ...ordered('401 once', '401 once', { fault: 'status', status: 401 }), brief: true },
  status(401, '401', { name: '401 for ever' }),

  throttled('seconds', 7),
  throttled('a date', { dateInSeconds: 7 }),
  throttled('a past date', { dateInSeconds: -3600 }),
  throttled('no number', 'abc'),
  throttled('none', undefined),
  { ...throttled('beyond all measure', 1e12), column: 'long 429' },

  ...[400, 402, 403, 404, 410, 413, 422, 431].map((code) => status(code, '4xx')),
  ...[407, 409, 418, 451, 499].map((code) => status(code, 'conflict')),
  ...[408, 425].map((code) => status(code, 'passing 4xx')),
  status(400, '4xx', { name: '400 with a hostile message', message: HOSTILE_MESSAGE }),

  ...(['same', 'other-host', 'other-port', 'other-scheme'] as const).map((to) =>
    ordered(`redirect: ${to}`, 'redirect', { fault: 'redirect', to }),
  ),

  ...[500, 502, 503].map((code) => status(code, '5xx')),
  {
    ...ordered('500 after the effect', '5xx', { fault: 'status', status: 500, effect: 'after' }),
    says: /500/,
  },
  {
    ...status(503, 'proven 5xx', { name: '503 that proves that nothing was done' }),
    nothingDone: [503],
  },
  {
    ...status(403, 'conflict', { name: '403 that proves nothing' }),
    nothingDone: ['"!403"'],
  },

  ...(['epoch-seconds', 'epoch-milliseconds', 'lifetime', 'zero', 'negative', 'none'] as const).map(
    (expiresAt) => harmless(`expires_at: ${expiresAt}`, { by: 'switch', behaviour: { expiresAt } }),
  ),
  harmless('a token that lives 1 s', { by: 'switch', behaviour: { tokenLifeSeconds: 1 } }),
  harmless('a clock two hours slow', { by: 'clock', offsetMs: -2 * HOUR_MS }),
  harmless('a clock ten years fast', { by: 'clock', offsetMs: 10 * 365 * 24 * HOUR_MS }),
];

function ordered(name: string, column: Column, fault: FaultRule['do']): Fault {
  return { name, column, means: { by: 'order', do: fault } };
}

function cut(name: string, fault: FaultRule['do']): Fault {
  return ordered(name, 'no answer', fault);
}

function badBody(name: string, fault: FaultRule['do']): Fault {
  return ordered(name, 'bad body', fault);
}

function status(code: number, column: Column, more: { name?: string; message?: string } = {}): Fault {
  const { name = String(code), message } = more;
  const fault = { fault: 'status', status: code, ...(message === undefined ? {} : { message }) } as const;
  return { ...ordered(name, column, fault), says: new RegExp(String(code)) };
}

type RetryAfter = Extract<FaultRule['do'], { fault: 'status' }>['retryAfter'];

function throttled(form: string, retryAfter: RetryAfter): Fault {
  const fault = {
    fault: 'status',
    status: 429,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  } as const;
  return { ...ordered(`429, Retry-After: ${form}`, '429', fault), says: /429/ };
}

function harmless(name: string, means: Means): Fault {
  return { name, column: 'harmless', means };
}
