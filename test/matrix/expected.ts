/**
 * What must come of every fault: the retry table, a row a kind of request, a column a kind of fault; then the places
 * where one fault means something else than its column; then the cells that cannot be.
 */
import type { Endpoint, RequestKind } from './endpoints.ts';
import type { Column, Fault } from './faults.ts';

/**
 * - later: nothing was done and another run may have more luck; tried some times, then put off
 * - again: repeating does no harm; tried some times, then failed
 * - goes on: tried until it works, whatever comes
 * - unknown: sent once, never again by itself; a person decides
 * - refused: final after the first answer
 * - fresh link: asked for once more with a new link, then final
 * - slows down: tried some times as late as was asked for, then put off
 * - quota: put off at once
 * - spoiled: a page, a message or nothing in the place of a file; fetched once more, then final for this run
 * - cut: not all of a file; fetched once more, then final for this run
 * - endless: a file without its end, in an answer that does not say how long it is; as cut
 * - kept: a file that came whole and that nothing can verify; fetched once more, and kept as the bytes are the same
 * - no key: ends the run
 * - refused here: the token works for other requests, so the key is good; tried until nothing came back for long
 * - no endpoint: ends the run, as the base URL must be wrong
 * - elsewhere: ends the run, as something before the service answers
 * - no trust: ends the run, as there is no safe way to the service
 * - not yet: asked again, as what is not there may still come
 * - nobody there: the file lies where nobody answers; tried some times, then put off
 * - loops: redirects are followed three times, then final
 * - renewed: once more with a new token, which works
 * - gone after all: carried out, though the answer did not say so; then it is there no more; asked twice
 * - gone later: tried some times, then failed; for the next run it is gone
 * - gone: it is there no more, as something else is; asked twice
 * - denied: said to be gone, and yet it can be read; put off
 * - done: no harm
 */
export type Verdict =
  | 'later'
  | 'again'
  | 'goes on'
  | 'unknown'
  | 'refused'
  | 'fresh link'
  | 'slows down'
  | 'quota'
  | 'spoiled'
  | 'cut'
  | 'endless'
  | 'kept'
  | 'not yet'
  | 'nobody there'
  | 'loops'
  | 'no key'
  | 'refused here'
  | 'no endpoint'
  | 'elsewhere'
  | 'no trust'
  | 'renewed'
  | 'gone'
  | 'denied'
  | 'gone after all'
  | 'gone later'
  | 'done';

type Row = Readonly<Record<Column, Verdict>>;

const HARMLESS = { '401 once': 'renewed', '401': 'no key', harmless: 'done', 'long 429': 'quota' } as const;

const REPEATABLE: Row = {
  ...HARMLESS,
  'not sent': 'later',
  'no answer': 'again',
  'bad body': 'again',
  '429': 'slows down',
  '4xx': 'refused',
  'passing 4xx': 'again',
  conflict: 'refused',
  redirect: 'refused',
  '5xx': 'again',
  'proven 5xx': 'again',
};

/** The retry table. */
const TABLE: Readonly<Record<RequestKind, Row>> = {
  token: {
    ...HARMLESS,
    '401 once': 'no key',
    'not sent': 'later',
    'no answer': 'later',
    'bad body': 'later',
    '429': 'slows down',
    '4xx': 'no key',
    'passing 4xx': 'later',
    conflict: 'no key',
    redirect: 'no key',
    '5xx': 'later',
    'proven 5xx': 'later',
  },
  create: {
    ...HARMLESS,
    'not sent': 'later',
    'no answer': 'unknown',
    'bad body': 'unknown',
    '429': 'slows down',
    '4xx': 'refused',
    'passing 4xx': 'unknown',
    conflict: 'unknown',
    redirect: 'unknown',
    '5xx': 'unknown',
    'proven 5xx': 'later',
  },
  upload: REPEATABLE,
  lookup: REPEATABLE,
  read: REPEATABLE,
  update: REPEATABLE,
  delete: REPEATABLE,
  download: { ...REPEATABLE, 'bad body': 'cut', '4xx': 'fresh link', conflict: 'fresh link' },
  poll: {
    ...HARMLESS,
    'not sent': 'later',
    'no answer': 'goes on',
    'bad body': 'goes on',
    '429': 'goes on',
    '4xx': 'goes on',
    'passing 4xx': 'goes on',
    conflict: 'goes on',
    redirect: 'goes on',
    '5xx': 'goes on',
    'proven 5xx': 'goes on',
  },
};

/** What one fault means to one kind of request where its column says something else, and why. */
const EXCEPTIONS: readonly {
  readonly fault: RegExp;
  readonly kinds: readonly RequestKind[];
  /** Default: every route of these kinds. */
  readonly routes?: RegExp;
  readonly verdict: Verdict;
  readonly because: string;
}[] = [
  {
    fault:
      /^(body: (empty|no-data|empty-id|long-id|number-id|path-id|prototype-id)|framing: (zero-length|no-content))$/,
    kinds: ['update'],
    verdict: 'done',
    because: 'the id is known: an update may be answered with as little as 2xx',
  },
  {
    fault: /^(body: (empty|null|list|no-data)|framing: (zero-length|no-content))$/,
    kinds: ['delete'],
    verdict: 'done',
    because: 'nothing is read of the answer to a delete',
  },
  {
    fault: /^body: (empty-id|number-id)$/,
    kinds: ['poll'],
    verdict: 'done',
    because: 'a medium is known by the ids that it was asked for with',
  },
  {
    fault: /^body: number-id$/,
    kinds: ['create', 'read', 'lookup'],
    verdict: 'done',
    because: 'a number is an id, as text',
  },
  {
    fault: /^(body: |framing: (zero-length|no-content)$)/,
    kinds: ['download'],
    verdict: 'spoiled',
    because: 'what comes under a link for a moment may be a page; it is never the file',
  },
  {
    fault: /^half a body, length none$/,
    kinds: ['download'],
    verdict: 'endless',
    because: 'nothing says how long it should be, and its end is missing: it was cut',
  },
  {
    fault: /^framing: short-length$/,
    kinds: ['download'],
    verdict: 'kept',
    because: 'it is as long as the answer says, so it came whole, and was cut where it was made if anywhere',
  },
  {
    fault: /^(404|redirect: .*)$/,
    kinds: ['token'],
    verdict: 'no endpoint',
    because: 'there is no such path below the base URL',
  },
  {
    fault: /^body: html$/,
    kinds: ['token'],
    verdict: 'elsewhere',
    because: 'a page in the place of a token is from something before the service, and stays',
  },
  {
    fault: /^TLS handshake fails$/,
    kinds: ['token'],
    verdict: 'no trust',
    because: 'scheme, port or certificate are wrong, and stay wrong',
  },
  {
    fault: /^redirect: other-port$/,
    kinds: ['download'],
    verdict: 'nobody there',
    because: 'redirects of files are followed',
  },
  {
    fault: /^redirect: other-scheme$/,
    kinds: ['download'],
    verdict: 'refused',
    because: 'redirects of files are followed, and there is no TLS at the place',
  },
  {
    fault: /^redirect: same$/,
    kinds: ['download'],
    verdict: 'loops',
    because: 'redirects of files are followed, but not for ever',
  },
  {
    fault: /^401 for ever$/,
    kinds: ['download'],
    verdict: 'refused here',
    because: 'the poll for fresh links before every further attempt shows that the token is good',
  },
  {
    fault: /^(404|410)$/,
    kinds: ['poll'],
    verdict: 'not yet',
    because: 'a service may answer so until the post is there',
  },
  {
    fault: /^(404|410)$/,
    kinds: ['delete'],
    routes: /concepts/,
    verdict: 'gone',
    because: 'it was deleted elsewhere, or by an attempt whose answer was lost; a concept cannot be read',
  },
  {
    fault: /^(404|410)$/,
    kinds: ['delete'],
    verdict: 'denied',
    because: 'something on the way refuses the DELETE: what it was sent for can still be read',
  },
  {
    fault: /^((FIN|RST|500) after the effect|framing: upgrade)$/,
    kinds: ['delete'],
    verdict: 'gone later',
    because: 'the service has deleted it, and no later answer of this run says so',
  },
  {
    fault: /after the effect|^(half a body|a body that drips|body: |framing: (?!garbage|twice))/,
    kinds: ['delete'],
    verdict: 'gone after all',
    because: 'the service has deleted it before it answers',
  },
];

/** Cells that cannot be, and why. */
const IMPOSSIBLE: readonly {
  readonly fault: RegExp;
  readonly kinds: readonly RequestKind[] | 'all but token' | 'all but download' | 'all but create';
  readonly because: string;
}[] = [
  {
    fault: /^TLS handshake fails$/,
    kinds: 'all but token',
    because: 'every connection asks for a token first, so the handshake fails there',
  },
  {
    fault: /^body: (path-id|prototype-id)$/,
    kinds: ['token'],
    because: 'it would be a token like any other',
  },
  {
    fault: /^body: wrong-type$/,
    kinds: 'all but download',
    because: 'only files have a type that could be another one',
  },
  {
    fault: /^body: (number-id|empty-id|long-id|path-id|prototype-id)$/,
    kinds: ['delete', 'download'],
    because: 'no id is in the answer',
  },
  {
    fault: /^body: deep$/,
    kinds: ['download'],
    because: 'what nests is JSON, and a file is none',
  },
  {
    fault: /^(503|403) that proves/,
    kinds: 'all but create',
    because: 'service.nothing_done is about creates; all else is repeated anyway',
  },
];

/** What must come of a fault for a kind of request; undefined where nobody has said it. */
export function expectedOf(
  { name, column }: Fault,
  { route, kind }: Pick<Endpoint, 'route' | 'kind'>,
): { verdict: Verdict } | { impossible: string } | undefined {
  const impossible = IMPOSSIBLE.find(({ fault, kinds }) => fault.test(name) && includes(kinds, kind));
  if (impossible) return { impossible: impossible.because };
  const exception = EXCEPTIONS.find(
    ({ fault, kinds, routes = /^/ }) => fault.test(name) && kinds.includes(kind) && routes.test(route),
  );
  if (exception) return { verdict: exception.verdict };
  const verdict: Verdict | undefined = TABLE[kind][column];
  return verdict && { verdict };
}

function includes(kinds: (typeof IMPOSSIBLE)[number]['kinds'], kind: RequestKind): boolean {
  if (typeof kinds !== 'string') return kinds.includes(kind);
  return kind !== kinds.replace('all but ', '');
}
