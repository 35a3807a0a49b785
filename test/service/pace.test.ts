import type { ClientRequest } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { watchPace } from '../../src/service/pace.ts';
import { watchEnding } from '../../src/service/stream-end.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** A body of which so many bytes come in each step of 10 s, the last number for ever. */
async function codeAfter(...steps: readonly number[]): Promise<{ code: unknown; seconds: number }> {
  const clock = createManualClock();
  let received = 700;
  const outgoing = Object.assign(new PassThrough(), { setTimeout() {} }) as unknown as ClientRequest;
  const ending = watchEnding(outgoing, clock, 30_000);
  watchPace({ receivedBytes: () => received, ending }, clock);
  const ends: { error?: unknown }[] = [];
  void ending.reached.then((reached) => ends.push(reached));
  for (let step = 0; step < 60 && ends.length === 0; step++) {
    received += steps[Math.min(step, steps.length - 1)] ?? 0;
    await clock.advance(10_000);
  }
  const { code } = (ends[0]?.error ?? {}) as { code?: string };
  // Nothing is left that would keep a process awake.
  if (ends.length > 0) expect(clock.pending).toBe(0);
  return { code, seconds: clock.monotonic() / 1000 };
}

it.each([
  ['nothing but a drip', [10], 60],
  ['just too little', [9_999], 60],
  ['fast at first', [50_000_000, 50_000_000, 10], 80],
  ['fast now and then, and never again', [0, 0, 0, 60_000, 0], 100],
])('%s: cut off', async (_, steps, seconds) => {
  expect(await codeAfter(...steps)).toEqual({ code: 'ERR_TOO_SLOW', seconds });
});

it.each([
  ['1 kB a second', [10_000]],
  ['nothing for 50 s, then enough', [0, 0, 0, 0, 0, 60_000, 0, 0, 0, 0, 60_000, 60_000]],
])('%s: goes on', async (_, steps) => {
  expect(await codeAfter(...steps)).toEqual({ code: undefined, seconds: 600 });
});
