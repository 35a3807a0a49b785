import { describe, expect, it } from 'vitest';
import type { IssuedToken } from '../../src/service/read-token.ts';
import { serviceError, type ServiceError, type ServiceFailure } from '../../src/service/service-error.ts';
import { TokenSource } from '../../src/service/token.ts';
import { err, ok, type Result } from '../../src/util/result.ts';
import { manualClock } from './manual-clock.ts';

function problem(came: ServiceFailure): ServiceError {
  return serviceError({ came, noToken: true, request: 'POST /get_auth_token' });
}

/** A source whose n-th fetch gives `token-n`, with this life, or what `answers` holds for it. */
function start(lifeMs?: number, answers: Record<number, Result<IssuedToken, ServiceError>> = {}) {
  const clock = manualClock();
  const counter = { fetches: 0 };
  const source = new TokenSource({
    clock,
    fetchToken: async () => {
      counter.fetches += 1;
      return answers[counter.fetches] ?? ok({ value: `token-${counter.fetches}`, lifeMs });
    },
  });
  const held = async () => {
    const token = await source.current();
    if (!token.ok) throw new Error(token.error.problem.detail);
    return token.value;
  };
  return { clock, source, counter, held };
}

describe('fetching', () => {
  it('is one fetch for all who wait', async () => {
    const { held, counter } = start();
    const tokens = await Promise.all(Array.from({ length: 64 }, held));
    expect(new Set(tokens.map((token) => token.value))).toEqual(new Set(['token-1']));
    expect(counter.fetches).toBe(1);
  });

  it('happens again at 80 % of the life', async () => {
    const { clock, held } = start(100_000);
    expect((await held()).value).toBe('token-1');
    clock.advance(79_999);
    expect((await held()).value).toBe('token-1');
    clock.advance(1);
    expect((await held()).value).toBe('token-2');
  });

  it('does not happen again where the life is not known', async () => {
    const { clock, held } = start();
    await held();
    clock.advance(1e12);
    expect((await held()).value).toBe('token-1');
  });

  it('may fail while the token still lives, not afterwards', async () => {
    const failure = err(problem('not-sent'));
    const { clock, source, held } = start(1000, { 2: failure, 3: failure });
    await held();
    clock.advance(900);
    expect((await held()).value).toBe('token-1');
    clock.advance(100);
    expect(await source.current()).toEqual(failure);
    expect((await held()).value).toBe('token-4');
  });

  it('ends for good once the key is refused', async () => {
    const { source, counter } = start(undefined, { 1: err(problem('unauthorized')) });
    await source.current();
    expect(await source.current()).toMatchObject({ error: { came: 'unauthorized' } });
    expect(counter.fetches).toBe(1);
  });
});

describe('a refused token', () => {
  const refusal = problem('unauthorized');

  it('is replaced once, however many were refused with it', async () => {
    const { source, held, counter } = start();
    const first = await held();
    const renewals = Array.from({ length: 64 }, () => {
      source.refused(first, refusal);
      return source.renew(first);
    });
    for (const renewal of await Promise.all(renewals))
      expect(renewal).toMatchObject({ value: { value: 'token-2' } });
    expect(await source.renew(first)).toMatchObject({ value: { value: 'token-2' } });
    expect(counter.fetches).toBe(2);
  });

  it('twice in a row when new: the key is no good, nothing is sent any more', async () => {
    const { source, held, counter } = start();
    source.refused(await held(), refusal);
    await source.renew(await held());
    source.refused(await held(), refusal);
    expect(await source.current()).toEqual(err(refusal));
    expect(counter.fetches).toBe(2);
  });

  it('is replaced a second time only after a success or 30 s', async () => {
    const { clock, source, held } = start();
    const first = await held();
    source.accepted(first);
    source.refused(first, refusal);
    await source.renew(first);
    const second = await held();
    source.refused(second, refusal);
    expect(await source.renew(second)).toBeUndefined();
    clock.advance(30_000);
    expect(await source.renew(second)).toMatchObject({ value: { value: 'token-3' } });
    const third = await held();
    source.accepted(third);
    source.refused(third, refusal);
    expect(await source.renew(third)).toMatchObject({ value: { value: 'token-4' } });
  });

  it('is no end before a second new one is refused, and may be sent again once another can be had', async () => {
    const { clock, source, held, counter } = start();
    const first = await held();
    source.accepted(first);
    source.refused(first, refusal);
    await source.renew(first);
    const second = await held();
    source.refused(second, refusal);
    clock.advance(10_000);
    expect(source.settle(refusal)).toMatchObject({
      came: 'not-sent',
      noToken: true,
      retryAfterMs: 20_000,
    });
    clock.advance(20_000);
    await source.renew(second);
    source.refused(await held(), refusal);
    expect(source.settle(refusal)).toBe(refusal);
    expect(counter.fetches).toBe(3);
  });

  it('is no reason to wait where the new one works for others', async () => {
    const { source, held } = start();
    const first = await held();
    source.accepted(first);
    source.refused(first, refusal);
    await source.renew(first);
    const second = await held();
    source.refused(second, refusal);
    source.accepted(second);
    expect(source.settle(refusal)).toMatchObject({ came: 'not-sent', retryAfterMs: 0 });
  });

  it('that was fetched in time is replaced too: what was accepted since the last refusal counts', async () => {
    const { clock, source, held } = start(10_000);
    const first = await held();
    source.refused(first, refusal);
    const second = await source.renew(first);
    source.accepted(await held());
    expect(second).toMatchObject({ value: { value: 'token-2' } });
    clock.advance(8_000);
    const third = await held();
    source.refused(third, refusal);
    expect(await source.renew(third)).toMatchObject({ value: { value: 'token-4' } });
  });

  it('is asked for again at once where the renewal itself failed', async () => {
    const { source, held } = start(undefined, { 2: err(problem('not-sent')) });
    const first = await held();
    source.refused(first, refusal);
    expect(await source.renew(first)).toMatchObject({ error: { came: 'not-sent' } });
    expect(await source.renew(first)).toMatchObject({ value: { value: 'token-3' } });
  });
});
