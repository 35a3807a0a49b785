/** Each request has a turn: the first one of an attempt that with which it was admitted, and every other one its own. */
import { expect, it } from 'vitest';
import { createRateBucket } from '../../src/engine/rate-bucket.ts';
import { createTurns } from '../../src/engine/turns.ts';
import { createManualClock } from '../support/manual-clock.ts';

function turnsOf(perSecond: number | undefined) {
  const clock = createManualClock();
  const rate = createRateBucket(perSecond, clock);
  const turns = createTurns({ rate, clock });
  const left: number[] = [];
  const since = clock.monotonic();
  const send = async () => {
    await turns.turn([]);
    left.push(clock.monotonic() - since);
  };
  return { clock, rate, turns, left, send };
}

it('sends the first request of an attempt at once, and spaces the others', async () => {
  const { clock, rate, turns, left, send } = turnsOf(5);
  rate.take();
  const attempt = turns.attempt(async () => {
    for (let n = 0; n < 3; n += 1) await send();
  });
  // Of no attempt.
  await clock.settle();
  await clock.runUntil(Promise.all([attempt, send()]));
  expect(left).toEqual([0, 200, 400, 600]);
  // The next one is admitted after all of them.
  expect(rate.opensAt()).toBe(clock.monotonic() + 200);
});

it('loses a turn that was not used in time', async () => {
  const { clock, rate, turns, left, send } = turnsOf(5);
  rate.take();
  const attempt = turns.attempt(async () => {
    clock.jump({ wall: 251, monotonic: 251 });
    await send();
  });
  await clock.runUntil(attempt);
  rate.take();
  await clock.runUntil(send());
  expect(left).toEqual([251, 651]);
});

it('asks whoever shares the account, again where nobody can say, and ends with a stop', async () => {
  const { clock, turns, left, send } = turnsOf(undefined);
  await send();
  expect(left).toEqual([0]);
  const said = [undefined, 70];
  turns.shareWith({ turn: () => Promise.resolve(said.shift()) });
  await clock.runUntil(send());
  expect(left).toEqual([0, 320]);
  const stop = new AbortController();
  const waiting = turns.turn([stop.signal]);
  await clock.settle();
  stop.abort();
  await waiting;
  expect(clock.monotonic()).toBe(320);
});
