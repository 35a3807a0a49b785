import { describe, expect, it } from 'vitest';
import { createBreaker } from '../../src/engine/create-breaker.ts';
import { createManualClock } from '../support/manual-clock.ts';

function setUp() {
  const clock = createManualClock();
  return { clock, breaker: createBreaker(clock, () => 1) };
}

describe('createBreaker', () => {
  it('lets creates start freely until one is ambiguous', () => {
    const { breaker } = setUp();
    breaker.started();
    breaker.started();
    breaker.ended('rejected');
    breaker.ended('not-sent');
    expect(breaker.opensAt()).toBe(-Infinity);
  });

  it('then lets one start, alone and after a backoff', () => {
    const { breaker } = setUp();
    breaker.started();
    breaker.started();
    breaker.ended('unknown');
    expect(breaker.opensAt()).toBe(Infinity);
    breaker.ended('created');
    expect(breaker.opensAt()).toBe(200);
    breaker.started();
    expect(breaker.opensAt()).toBe(Infinity);
  });

  it('closes again when the trial succeeded', () => {
    const { breaker } = setUp();
    breaker.started();
    breaker.ended('unknown');
    breaker.started();
    breaker.ended('created');
    expect(breaker.opensAt()).toBe(-Infinity);
  });

  it('does not count those that were in flight when it opened', () => {
    const { breaker } = setUp();
    for (let i = 0; i < 5; i += 1) breaker.started();
    for (let i = 0; i < 5; i += 1) breaker.ended('unknown');
    expect([breaker.over, breaker.opensAt()]).toEqual([false, 200]);
  });

  it('is over after three in a row', () => {
    const { breaker } = setUp();
    for (const opensAt of [200, 400, Infinity]) {
      breaker.started();
      breaker.ended('unknown');
      expect(breaker.opensAt()).toBe(opensAt);
    }
    expect(breaker.over).toBe(true);
  });

  it('tries the next one when the trial was refused, and after a backoff when it was not sent', async () => {
    const { breaker, clock } = setUp();
    breaker.started();
    breaker.ended('unknown');
    await clock.advance(500);
    breaker.started();
    breaker.ended('rejected');
    expect(breaker.opensAt()).toBe(200);
    breaker.started();
    breaker.ended('not-sent');
    expect([breaker.over, breaker.opensAt()]).toEqual([false, 700]);
  });
});
