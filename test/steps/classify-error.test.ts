import { describe, expect, it } from 'vitest';
import type { ServiceError } from '../../src/service/service-error.ts';
import { createAnswered, createFailed, repeatableFailed, retry } from '../../src/steps/classify-error.ts';
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
    expect(serviceError('refused', { status: 400, serviceMessage: 'No such variant' }).problem).toEqual({
      summary: 'The service refused the request',
      detail: 'GET /x/: refused (400): No such variant',
      status: 400,
    });
  });

  it.each([
    ['not-sent', 'The service could not be reached'],
    ['no-answer', 'The service did not answer'],
    ['bad-answer', 'The answer of the service cannot be used'],
    ['unauthorized', 'The service refuses the API key'],
    ['throttled', 'The service asks to slow down'],
    ['refused', 'The service refused the request'],
    ['server-error', 'The service failed'],
    ['aborted', 'The run was stopped'],
  ] as const)('has a summary of its own, and no more than there is: %s', (kind, summary) => {
    const error = serviceError(kind);
    expect(error.problem).toStrictEqual({ summary, detail: error.problem.detail });
  });

  it('that may have made something keeps how its answer began', () => {
    const error = serviceError('bad-answer', { ambiguous: true, answer: '{"id":"../x"}' });
    expect(createFailed(error, job, io)).toMatchObject({
      type: 'unknown',
      evidence: { detail: `${error.problem.detail}. The answer: {"id":"../x"}` },
    });
    expect(createFailed(serviceError('bad-answer', { ambiguous: true }), job, io)).toMatchObject({
      type: 'unknown',
      evidence: { detail: serviceError('bad-answer').problem.detail },
    });
  });

  it('for want of a trusted connection is told apart from a refused key, and sends nothing more either', () => {
    const error = serviceError('misconfigured', { code: 'CERT_HAS_EXPIRED' });
    const problem = {
      summary: 'There is no trusted connection to the service',
      detail: error.problem.detail,
      cause: 'connection',
    };
    expect(createFailed(error, job, io)).toEqual({ type: 'unauthorized', problem });
    expect(repeatableFailed(error, job, io)).toEqual({ type: 'unauthorized', problem });
  });

  it.each([
    [299, false],
    [300, true],
    [302, true],
    [399, true],
    [400, false],
    [401, false],
    [403, false],
    [404, true],
    [405, true],
    [410, false],
  ])('at the token endpoint with a %d asks whether the base URL is right: %s', (status, isWrongUrl) => {
    const { summary, cause } = serviceError('unauthorized', { status, phase: 'token' }).problem;
    expect([summary, cause]).toEqual(
      isWrongUrl
        ? ['There is no token endpoint: is the base URL right?', 'base-url']
        : ['The service refuses the API key', undefined],
    );
    expect(serviceError('refused', { status }).problem.cause).toBeUndefined();
  });

  it.each([
    ['refused', 299, 'The service refused the request'],
    ['refused', 300, 'The service redirects the request'],
    ['refused', 399, 'The service redirects the request'],
    ['refused', 400, 'The service refused the request'],
    ['bad-answer', 302, 'The answer of the service cannot be used'],
  ] as const)('that is a redirect says so: %s, %d', (kind, status, summary) => {
    expect(serviceError(kind, { status }).problem.summary).toBe(summary);
  });

  it('for want of a token is told apart from a service that is not there', () => {
    const summary = (
      facts: Parameters<typeof serviceError>[1],
      kind: 'not-sent' | 'no-answer' = 'not-sent',
    ) => serviceError(kind, facts).problem.summary;
    expect(summary({ phase: 'token', status: 503 })).toBe('The service gives no token');
    expect(summary({ phase: 'token', status: 401 })).toBe('The service refused the token');
    expect(summary({ phase: 'token' })).toBe('The service could not be reached');
    expect(summary({ phase: 'connect', status: 503 })).toBe('The service could not be reached');
    expect(summary({ phase: 'token', status: 503 }, 'no-answer')).toBe('The service did not answer');
  });

  it("that is the disk's fault says so", () => {
    expect(serviceError('local-file', { code: 'ENOSPC' }).problem).toEqual({
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
    const silent = serviceError('no-answer', { ambiguous: true });
    expect(createFailed(silent, job, io)).toStrictEqual({
      type: 'unknown',
      evidence: { summary: 'The service did not answer', detail: silent.problem.detail, request: 'GET /x/' },
      overloaded: false,
    });
  });

  it.each([
    [{ status: 503 }, true],
    [{ code: 'ETIMEDOUT' }, true],
    [{ status: 500 }, false],
    [{ code: 'ECONNRESET' }, false],
  ])('says whether the service has too much to do: %j: %s', (facts, overloaded) => {
    const error = serviceError('server-error', { ambiguous: true, ...facts });
    expect(createFailed(error, job, io)).toMatchObject({ type: 'unknown', overloaded });
    expect(repeatableFailed(error, job, io)).toMatchObject({ type: 'wait', overloaded });
  });

  it.each([
    ['refused', 299, undefined],
    ['refused', 300, true],
    ['refused', 408, true],
    ['refused', 499, true],
    ['refused', 500, undefined],
    ['refused', undefined, undefined],
    ['server-error', 408, undefined],
  ] as const)('that is tried again says whether it was an answer: %s, %s: %s', (kind, status, answered) => {
    const outcome = retry(serviceError(kind, { status }), job, io);
    expect(outcome.type === 'wait' && outcome.answered).toBe(answered);
  });

  it('says whether it was sent', () => {
    expect(repeatableFailed(serviceError('not-sent'), job, io)).toMatchObject({ unsent: true });
    expect(repeatableFailed(serviceError('no-answer'), job, io)).toMatchObject({ unsent: false });
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

describe('a create that was answered', () => {
  const done = { type: 'done', result: { id: 'p-1' } } as const;
  const under = (taken: { name: string; owner: string } | undefined) => ({
    job,
    io: { ...io, names: { claim: () => taken } },
  });

  it('is done', () => {
    expect(createAnswered(done, 'POST /products/', under(undefined))).toBe(done);
  });

  it('is unknown where it was given what another node has', () => {
    const taken = { name: 'the product p-1', owner: 'product/mug' };
    expect(createAnswered(done, 'POST /products/', under(taken))).toEqual({
      type: 'unknown',
      evidence: {
        summary: 'The answer of the service cannot be used',
        detail: 'POST /products/: the answer names the product p-1, which product/mug has already',
        request: 'POST /products/',
      },
    });
  });
});
