import { describe, expect, it } from 'vitest';
import type { ServiceError } from '../../src/service/service-error.ts';
import { createFailed, problemOf, repeatableFailed } from '../../src/steps/classify-error.ts';
import { productNode } from '../support/planned-nodes.ts';
import { createIo, jobOf, NOT_THERE, serviceError } from './step-rig.ts';

const io = createIo({});
const job = jobOf(productNode('tote'));

/** Kind of error, whether the service may have acted, its status; what a create makes of it; what others do. */
const TABLE: readonly (readonly [string, ServiceError, string, string])[] = [
  ['no connection', serviceError('not-sent'), 'retry', 'retry'],
  ['no answer', serviceError('no-answer', { ambiguous: true }), 'unknown', 'retry'],
  [
    'an answer that is none',
    serviceError('bad-answer', { ambiguous: true, status: 200 }),
    'unknown',
    'retry',
  ],
  ['500', serviceError('server-error', { ambiguous: true, status: 500 }), 'unknown', 'retry'],
  ['503 that did nothing', serviceError('server-error', { status: 503 }), 'retry', 'retry'],
  ['408', serviceError('refused', { ambiguous: true, status: 408 }), 'unknown', 'retry'],
  ['425', serviceError('refused', { ambiguous: true, status: 425 }), 'unknown', 'retry'],
  ['409', serviceError('refused', { ambiguous: true, status: 409 }), 'unknown', 'failed'],
  ['400', serviceError('refused', { status: 400 }), 'rejected', 'failed'],
  ['404', NOT_THERE, 'rejected', 'failed'],
  ['a file that cannot be read', serviceError('local-file', { code: 'EACCES' }), 'rejected', 'failed'],
  ['429', serviceError('throttled', { status: 429 }), 'throttled', 'throttled'],
  ['401 twice', serviceError('unauthorized', { status: 401 }), 'unauthorized', 'unauthorized'],
  ['a stop', serviceError('aborted'), 'put-off', 'put-off'],
];

describe('a failed request', () => {
  it.each(TABLE)('%s: of a create', (_, error, expected) => {
    const outcome = createFailed(error, job, io);
    expect(outcome.type === 'wait' ? outcome.why : outcome.type).toBe(expected);
  });

  it.each(TABLE)('%s: of anything else', (_, error, __, expected) => {
    const outcome = repeatableFailed(error, job, io);
    expect(outcome.type === 'wait' ? outcome.why : outcome.type).toBe(expected);
  });

  it('is a problem in our words, with the status', () => {
    expect(problemOf(serviceError('refused', { status: 400, serviceMessage: 'No such variant' }))).toEqual({
      summary: 'The service refused the request',
      detail: 'GET /x/: refused (400): No such variant',
      status: 400,
    });
  });

  it("that is the disk's fault says so", () => {
    expect(problemOf(serviceError('local-file', { code: 'ENOSPC' }))).toEqual({
      summary: 'A file could not be read or written',
      detail: 'GET /x/: a local file cannot be read or written (the disk is full, ENOSPC)',
      cause: 'disk',
    });
  });

  it('of unknown outcome leaves its evidence', () => {
    const error = serviceError('server-error', { ambiguous: true, status: 502, request: 'POST /products/' });
    expect(createFailed(error, job, io)).toMatchObject({
      type: 'unknown',
      evidence: {
        summary: 'The service failed',
        detail: 'POST /products/: the service failed (502)',
        request: 'POST /products/',
        status: 502,
      },
    });
    expect(createFailed(serviceError('no-answer', { ambiguous: true }), job, io)).toMatchObject({
      type: 'unknown',
      evidence: { summary: 'The service did not answer', request: 'GET /x/' },
    });
  });
});

describe('the wait after a failed request', () => {
  const waited = (error: ServiceError, attempt: number, random = 0.5) => {
    const outcome = repeatableFailed(error, jobOf(productNode('tote'), { attempt }), {
      ...io,
      random: () => random,
    });
    return outcome.type === 'wait' ? outcome.until : undefined;
  };

  it.each([
    ['not-sent', 1, 100],
    ['not-sent', 2, 200],
    ['not-sent', 4, 800],
    ['not-sent', 20, 10_000],
  ] as const)('of %s grows: attempt %i, %i ms', (kind, attempt, ms) => {
    expect(waited(serviceError(kind), attempt)).toBe(ms);
  });

  it('is anything between nothing and the whole', () => {
    expect(waited(serviceError('not-sent'), 1, 0)).toBe(0);
    expect(waited(serviceError('not-sent'), 1, 1)).toBe(200);
  });

  it('of a throttled one is what the service asks for, else a second: the engine adds the backoff', () => {
    expect(waited(serviceError('throttled', { retryAfterMs: 60_000 }), 3)).toBe(60_000);
    expect(waited(serviceError('throttled', { retryAfterMs: 0 }), 3)).toBe(0);
    expect(waited(serviceError('throttled'), 3)).toBe(1000);
  });

  it('is at least what the service asks for', () => {
    expect(waited(serviceError('server-error', { retryAfterMs: 5 }), 1)).toBe(100);
  });

  it('keeps what the last attempt remembered', () => {
    const remembering = jobOf(productNode('tote'), { memo: { polls: 3 } });
    expect(repeatableFailed(serviceError('not-sent'), remembering, io)).toMatchObject({ memo: { polls: 3 } });
    expect(repeatableFailed(serviceError('not-sent'), job, io)).not.toHaveProperty('memo');
  });
});
