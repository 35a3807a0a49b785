/** What an S3-compatible store says instead of doing what it was asked, in words that say what to do. */
import type { IncomingHttpHeaders } from 'node:http';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { FatalProblem } from '../model/problem.ts';
import { readHttpDate, readRetryAfter } from '../service/read-headers.ts';
import type { Secrets } from '../service/secrets.ts';
import { codeWords, isMisconfiguration } from '../util/code-words.ts';
import { inertText } from '../util/inert-text.ts';
import { plainUrls } from '../util/plain-url.ts';
import type { S3Settings } from './object-store.ts';

export interface S3Fault {
  readonly problem: FatalProblem;
  /** It may be over at the next attempt. */
  readonly isPassing: boolean;
  /** Milliseconds that the store asks to wait. */
  readonly waitMs?: number | undefined;
  readonly status?: number | undefined;
}

/** A store, as messages name it. */
export interface NamedStore extends Pick<S3Settings, 'bucket' | 'region' | 'endpoint'> {
  readonly name: string;
  readonly secrets: Secrets;
}

export interface S3Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Epoch milliseconds. */
  readonly arrivedAt: number;
}

/** The fault of an answer: one that is no 2xx, or one whose body is an error all the same. */
export function faultOf(answer: S3Answer, request: string, store: NamedStore): S3Fault {
  const { status, headers, body, arrivedAt } = answer;
  const code = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(body)?.[1];
  const [named, said] = [code, /<Message>([^<]*)<\/Message>/.exec(body)?.[1]].map((text) =>
    serverWords(text ?? '', store.secrets),
  );
  const what = [`${status}`, named, said].filter(Boolean).join(', ');
  const facts: Facts = { ...store, request, what, code, status, body, headers, arrivedAt };
  const { exit, summary, advice } = ROWS.find(({ is }) => is(facts)) ?? OTHER;
  const detail = `${store.name}, ${request}: ${what}. ${advice(facts)}`;
  return {
    problem: { code: 'storage', exit, summary, detail },
    isPassing: exit === EXIT.cannotWrite && isPassing(facts),
    waitMs: readRetryAfter(headers, arrivedAt),
    status,
  };
}

/** No answer came, or not all of it; `detail` says what is known besides the code. */
export function unreached(
  { code, detail }: { readonly code?: string | undefined; readonly detail?: string | undefined },
  request: string,
  { name, endpoint }: NamedStore,
): S3Fault {
  const isWrong = isMisconfiguration(code);
  const words = [detail, code && codeWords(code)].filter(Boolean).join(', ') || 'no answer came';
  const problem = {
    code: 'storage',
    exit: isWrong ? EXIT.configuration : EXIT.cannotWrite,
    summary: isWrong ? 'There is no trusted connection to the storage' : DOWN,
    detail: `${name}, ${request}: ${words}. ${whatToCheck(code, endpoint)}`,
  };
  return { problem, isPassing: !isWrong };
}

function whatToCheck(code = '', { host }: URL): string {
  if (code === 'ERR_ABORTED') return 'Run again.';
  if (code.startsWith('ERR_PROXY')) return 'Check HTTPS_PROXY and NO_PROXY, then run again.';
  return isMisconfiguration(code)
    ? 'Check AWS_ENDPOINT_URL_S3 and the certificate (NODE_EXTRA_CA_CERTS names the file of an authority of your own), then run again.'
    : `Check the network and ${host} (AWS_ENDPOINT_URL_S3, AWS_REGION, CAMPAIGN_S3_PATH_STYLE), then run again.`;
}

/** Stores answer with XML, or with an object. */
export function isPage(text: string): boolean {
  return /^\s*<(?:!doctype\s+)?html\b/i.test(text);
}

/** It says that it has done something, and what is there afterwards shows that it has not. */
export function notKept(detail: string, { name }: Pick<NamedStore, 'name'>): FatalProblem {
  return {
    code: 'storage',
    exit: EXIT.cannotWrite,
    summary: 'The storage did not keep a file',
    detail: `${name}: ${detail}. Look at the store, then run again.`,
  };
}

export function serverWords(text: string, { redact }: Secrets): string {
  // A signature has this form, and what it is about is named already.
  const plain = inertText(text).replace(/[0-9a-f]{64}/gi, '[redacted]');
  return inertText(plainUrls(redact(plain)), 200).replace(/\.$/, '');
}

const DOWN = 'The storage does not answer as it should';

interface Facts extends NamedStore, S3Answer {
  readonly request: string;
  readonly what: string;
  readonly code: string | undefined;
}

function isPassing({ status, code = '' }: Facts): boolean {
  return status < 300 || status === 408 || status === 429 || status >= 500 || PASSING.has(code);
}

const PASSING = new Set(['RequestTimeout', 'SlowDown', 'InternalError', 'ServiceUnavailable', 'Throttling']);

interface Row {
  readonly is: (facts: Facts) => boolean;
  readonly exit: ExitCode;
  readonly summary: string;
  readonly advice: (facts: Facts) => string;
}

/** The first that fits. */
const ROWS: readonly Row[] = [
  {
    is: ({ code }) => code === 'NoSuchBucket',
    exit: EXIT.configuration,
    summary: 'The storage has no such bucket',
    advice: ({ bucket, endpoint }) =>
      `${endpoint.host} has no bucket ${bucket}: make it, or correct --files and the endpoint.`,
  },
  {
    is: ({ status, body }) => (status < 300 || status === 404 || status === 405) && isPage(body),
    exit: EXIT.configuration,
    summary: 'What answers is no S3 store',
    advice: ({ endpoint }) =>
      `It is a web page. ${endpoint.host} may be the address of a console, or of a log-in page of the network: set AWS_ENDPOINT_URL_S3 to that of the store.`,
  },
  {
    is: (facts) => regionOf(facts) !== undefined || (facts.status >= 300 && facts.status < 400),
    exit: EXIT.configuration,
    summary: 'The bucket is elsewhere',
    advice: (facts) => {
      const region = regionOf(facts);
      return region === undefined || region === facts.region
        ? 'It redirects the request, which is not followed: the signature is for one host. Set AWS_REGION and AWS_ENDPOINT_URL_S3 as the store names them.'
        : `It is in the region ${region}, and the request was for ${facts.region}: set AWS_REGION=${region}.`;
    },
  },
  {
    is: ({ code }) => code === 'RequestTimeTooSkewed' || code === 'RequestExpired',
    exit: EXIT.configuration,
    summary: 'The clock of this machine is wrong',
    advice: ({ headers, arrivedAt }) => {
      const there = readHttpDate(headers.date);
      const times = there === undefined ? '' : ` It is ${timeOf(there)} there and ${timeOf(arrivedAt)} here.`;
      return `A store takes no signature of another time.${times} Set the clock (NTP), then run again.`;
    },
  },
  {
    is: ({ code }) => code === 'ExpiredToken' || code === 'TokenRefreshRequired',
    exit: EXIT.authentication,
    summary: 'The credentials for the storage have expired',
    advice: () =>
      'Get new ones, set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, then run again.',
  },
  {
    is: ({ code = '', status }) =>
      status === 401 ||
      /^(?:InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|InvalidClientTokenId)$/.test(code),
    exit: EXIT.authentication,
    summary: 'The storage refuses the credentials',
    advice: () =>
      'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and the endpoint, then run again.',
  },
  {
    is: ({ status, code }) => status === 403 || code === 'AccessDenied',
    exit: EXIT.authentication,
    summary: 'The storage refuses the request',
    advice: ({ bucket }) =>
      `The credentials need the rights s3:GetObject, s3:PutObject and, for ${bucket} itself, s3:ListBucket (without it a store says 403 of what is not there). If they worked before, they may have expired: get new ones.`,
  },
  {
    is: ({ status, code }) => status === 413 || code === 'EntityTooLarge',
    exit: EXIT.cannotWrite,
    summary: 'A file is too large for the storage',
    advice: () => 'Lift the limit of the store for one object.',
  },
  {
    is: ({ status, code = '' }) => status === 507 || /Quota|StorageFull/.test(code),
    exit: EXIT.cannotWrite,
    summary: 'The storage is full',
    advice: () => 'Make room there, then run again.',
  },
];

const OTHER: Omit<Row, 'is'> = {
  exit: EXIT.cannotWrite,
  summary: DOWN,
  advice: () => 'What was recorded stays. Look at the store, then run again.',
};

/** Where the bucket is, if the store says that it is elsewhere. */
function regionOf({ status, code, body, headers }: Facts): string | undefined {
  const isElsewhere =
    status === 301 ||
    status === 307 ||
    code === 'PermanentRedirect' ||
    code === 'AuthorizationHeaderMalformed';
  if (!isElsewhere && code !== 'IllegalLocationConstraintException') return undefined;
  const told = headers['x-amz-bucket-region'] ?? /<Region>([^<]*)<\/Region>/.exec(body)?.[1];
  return typeof told === 'string' && /^[a-z0-9-]{1,40}$/.test(told) ? told : undefined;
}

function timeOf(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\.\d+Z$/, 'Z');
}
