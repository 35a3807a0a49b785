import { describe, expect, it } from 'vitest';
import type { FailureKind } from '../../src/model/facts.ts';
import type { ServiceError } from '../../src/service/service-error.ts';
import { createAnswered, requestFailed } from '../../src/steps/request-facts.ts';
import { productNode } from '../support/planned-nodes.ts';
import { createIo, jobOf, NOT_THERE, serviceError } from './step-rig.ts';

const io = createIo({});
const job = jobOf(productNode('tote'));

/** A request that failed; what came of it, and whether it was sent. */
const FACTS: readonly (readonly [string, ServiceError, FailureKind, 'no' | 'maybe' | 'yes'])[] = [
  ['no connection', serviceError('not-sent'), 'not-sent', 'no'],
  ['no token', serviceError('not-sent', { noToken: true, status: 503 }), 'not-sent', 'no'],
  ['no answer', serviceError('no-answer'), 'no-answer', 'maybe'],
  ['a 2xx that is none', serviceError('unusable', { status: 200 }), 'unusable', 'yes'],
  ['500', serviceError('server-error', { status: 500 }), 'server-error', 'yes'],
  ['503 that did nothing', serviceError('not-done', { status: 503 }), 'not-done', 'yes'],
  ['408', serviceError('passing', { status: 408 }), 'passing', 'yes'],
  ['425', serviceError('passing', { status: 425 }), 'passing', 'yes'],
  ['408 that did nothing', serviceError('passing-refusal', { status: 408 }), 'passing-refusal', 'yes'],
  ['409', serviceError('unproven', { status: 409 }), 'unproven', 'yes'],
  ['400', serviceError('refused', { status: 400 }), 'refused', 'yes'],
  ['404', NOT_THERE, 'refused', 'yes'],
  ['a file that may not be fetched', serviceError('refused'), 'refused', 'yes'],
  ['a file that cannot be read', serviceError('local-file', { code: 'EACCES' }), 'local-file', 'no'],
  ['429', serviceError('throttled', { status: 429 }), 'throttled', 'yes'],
  ['429 for a token', serviceError('throttled', { status: 429, noToken: true }), 'throttled', 'no'],
  ['401 twice', serviceError('unauthorized', { status: 401 }), 'unauthorized', 'yes'],
  [
    'no endpoint for tokens',
    serviceError('unauthorized', { status: 404, noToken: true }),
    'misconfigured',
    'no',
  ],
  ['no trust', serviceError('misconfigured'), 'misconfigured', 'no'],
  ['a stop', serviceError('aborted'), 'aborted', 'no'],
];

describe('a failed request', () => {
  it.each(FACTS)('%s', (_, error, came, sent) => {
    expect(requestFailed(error, io)).toMatchObject({ came, sent, request: 'GET /x/' });
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
    ['unusable', 'The answer of the service cannot be used'],
    ['unauthorized', 'The service refuses the API key'],
    ['throttled', 'The service asks to slow down'],
    ['refused', 'The file cannot be fetched'],
    ['server-error', 'The service failed'],
    ['aborted', 'The run was stopped'],
  ] as const)('has a summary of its own, and no more than there is: %s', (came, summary) => {
    const error = serviceError(came);
    expect(error.problem).toStrictEqual({ summary, detail: error.problem.detail });
  });

  it('keeps how its answer began, beside the problem', () => {
    const facts = requestFailed(serviceError('unusable', { answer: '{"id":"../x"}' }), io);
    expect(facts).toMatchObject({
      quote: '{"id":"../x"}',
      problem: { detail: serviceError('unusable').problem.detail },
    });
    expect(requestFailed(serviceError('unusable'), io)).not.toHaveProperty('quote');
  });

  it('for want of a trusted connection is told apart from a refused key', () => {
    const error = serviceError('misconfigured', { code: 'CERT_HAS_EXPIRED' });
    expect(error.problem).toEqual({
      summary: 'There is no trusted connection to the service',
      detail: error.problem.detail,
      cause: 'connection',
    });
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
    const { summary, cause } = serviceError('unauthorized', { status, noToken: true }).problem;
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
    ['unusable', 302, 'The answer of the service cannot be used'],
  ] as const)('that is a redirect says so: %s, %d', (came, status, summary) => {
    expect(serviceError(came, { status }).problem.summary).toBe(summary);
  });

  it('for want of a token is told apart from a service that is not there', () => {
    const summary = (
      facts: Parameters<typeof serviceError>[1],
      came: 'not-sent' | 'no-answer' = 'not-sent',
    ) => serviceError(came, facts).problem.summary;
    expect(summary({ noToken: true, status: 503 })).toBe('The service gives no token');
    expect(summary({ noToken: true, status: 401 })).toBe('The service refused the token');
    expect(summary({ noToken: true })).toBe('The service could not be reached');
    expect(summary({ status: 503 })).toBe('The service could not be reached');
    expect(summary({ noToken: true, status: 503 }, 'no-answer')).toBe('The service did not answer');
  });

  it('for want of a token says whether one is still to come, and none was sent', () => {
    const facts = (came: 'not-sent' | 'throttled', more: Parameters<typeof serviceError>[1]) =>
      requestFailed(serviceError(came, more), io);
    const due = { sent: 'no', noToken: 'due' };
    expect(facts('not-sent', { noToken: true, isTokenDue: true })).toMatchObject(due);
    expect(facts('not-sent', { noToken: true })).toMatchObject({ sent: 'no', noToken: 'unreached' });
    expect(facts('not-sent', {})).not.toHaveProperty('noToken');
    expect(facts('throttled', { noToken: true, isTokenDue: true })).not.toHaveProperty('noToken');
  });

  it("that is the disk's fault says so", () => {
    expect(serviceError('local-file', { code: 'ENOSPC' }).problem).toEqual({
      summary: 'A file could not be read or written',
      detail: 'GET /x/: a local file cannot be read or written (the disk is full, ENOSPC)',
      cause: 'disk',
    });
  });

  it.each([
    [{ status: 503 }, true],
    [{ code: 'ETIMEDOUT' }, true],
    [{ status: 500 }, false],
    [{ code: 'ECONNRESET' }, false],
  ])('says whether the service has too much to do: %j: %s', (facts, isOverloaded) => {
    const { load } = requestFailed(serviceError('server-error', { ...facts }), io);
    expect(load).toBe(isOverloaded ? 'overloaded' : undefined);
  });

  it('says for how long the service wants to be left alone, with the time of day where that is long', () => {
    const asked = (came: 'throttled' | 'server-error', retryAfterMs?: number) => {
      const { waitMs, problem } = requestFailed(serviceError(came, { retryAfterMs }), io);
      return [waitMs, problem.retry_at];
    };
    expect(asked('throttled')).toEqual([undefined, undefined]);
    expect(asked('throttled', 0)).toEqual([0, undefined]);
    expect(asked('throttled', 59_999)).toEqual([59_999, undefined]);
    expect(asked('throttled', 60_000)).toEqual([60_000, new Date(io.clock.now() + 60_000).toISOString()]);
    expect(asked('throttled', 1e18)[1]).toBe(new Date(io.clock.now() + 315_360_000_000).toISOString());
    expect(asked('server-error', 60_000)).toEqual([60_000, undefined]);
  });
});

describe('a create that was answered', () => {
  const result = { id: 'p-1' };
  const under = (taken: { name: string; owner: string } | undefined) => ({
    job,
    io: { ...io, names: { claim: () => taken } },
  });

  it('is done', () => {
    const facts = createAnswered(result, 'POST /products/', under(undefined));
    expect(facts).toEqual({ came: 'result', sent: 'yes', result });
  });

  it('is unknown where it was given what another node has', () => {
    const taken = { name: 'the product p-1', owner: 'product/mug' };
    expect(createAnswered(result, 'POST /products/', under(taken))).toEqual({
      came: 'unusable',
      sent: 'yes',
      problem: {
        summary: 'The answer of the service cannot be used',
        detail: 'POST /products/: the answer names the product p-1, which product/mug has already',
      },
      request: 'POST /products/',
    });
  });
});
