/** The times that a process has reserved for its requests. */
import { expect, it } from 'vitest';
import { createAccountShare } from '../../src/cluster/account-share.ts';
import type { SharedRun } from '../../src/store/shared-run.ts';
import { createManualClock } from '../support/manual-clock.ts';

function shareWith(times: readonly (readonly number[])[]) {
  const clock = createManualClock();
  const left = [...times];
  const run = { takeTimes: () => Promise.resolve(left.shift() ?? []) } as unknown as SharedRun;
  const share = createAccountShare({ run, clock });
  share.pace(true);
  return { clock, share };
}

it('asks for times once a request waits, and loses those that it did not use in time', async () => {
  const { clock, share } = shareWith([[0, 50]]);
  expect(await share.more(2)).toBe(false);
  expect(share.limits.opensAt()).toBe(Number.POSITIVE_INFINITY);
  expect(await share.more(2)).toBe(true);
  expect(share.limits.opensAt()).toBe(clock.monotonic());
  share.limits.take();
  expect(share.limits.opensAt()).toBe(clock.monotonic() + 50);
  await clock.advance(301);
  expect(share.hasTime).toBe(false);
  expect(share.limits.opensAt()).toBe(Number.POSITIVE_INFINITY);
});

it('says so where it got none, so that the engine goes on meanwhile', async () => {
  const { share } = shareWith([[], [10]]);
  share.limits.opensAt();
  expect(await share.more(1)).toBe(false);
  share.limits.opensAt();
  expect(await share.more(1)).toBe(true);
});
