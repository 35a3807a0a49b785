import { describe, expect, it } from 'vitest';
import { createWaker } from '../../src/engine/waker.ts';
import { createManualClock } from '../support/manual-clock.ts';

const MINUTE = 60_000;

function setUp() {
  const clock = createManualClock();
  const waker = createWaker(clock);
  /** Waits for so many milliseconds, and says when the wait was over and what stood still. */
  const wait = async (ms: number) => {
    const suspend = await waker.wait(ms);
    return { at: clock.monotonic(), suspend };
  };
  return { clock, waker, wait };
}

describe('a wait', () => {
  it('is over at its time', async () => {
    const { clock, wait } = setUp();
    const over = wait(1234.5);
    await clock.advance(MINUTE);
    expect(await over).toMatchObject({ suspend: undefined });
    expect(clock.pending).toBe(0);
  });

  it('is over when it is woken, also before it began', async () => {
    const { clock, waker, wait } = setUp();
    const over = wait(1000);
    waker.wake();
    expect(await over).toEqual({ at: 0, suspend: undefined });
    expect(clock.pending).toBe(0);
    waker.wake();
    expect(await wait(1000)).toEqual({ at: 0, suspend: undefined });
  });

  it('is over after five seconds at the latest, so that a suspend is noticed whatever is awaited', async () => {
    const { clock, wait } = setUp();
    const over = wait(Infinity);
    await clock.advance(5000);
    expect(await over).toEqual({ at: 5000, suspend: undefined });
  });
});

describe('a suspend', () => {
  it('is noticed after a SIGSTOP: the monotonic clock went on', async () => {
    const { clock, wait } = setUp();
    const over = wait(3000);
    await clock.advance(1000);
    clock.jump({ wall: 10 * MINUTE, monotonic: 10 * MINUTE });
    await clock.advance(0);
    expect((await over).suspend).toBe(10 * MINUTE - 2000);
  });

  it('is noticed after the machine slept: only the wall clock went on', async () => {
    const { clock, wait } = setUp();
    const over = wait(3000);
    clock.jump({ wall: 480 * MINUTE, monotonic: 0 });
    await clock.advance(3000);
    expect(await over).toEqual({ at: 3000, suspend: 0 });
  });

  it('is noticed when something else wakes up first', async () => {
    const { clock, waker, wait } = setUp();
    const over = wait(3000);
    clock.jump({ wall: MINUTE, monotonic: MINUTE });
    waker.wake();
    expect((await over).suspend).toBe(MINUTE - 3000);
  });

  it('is nothing that lasts five seconds, and no clock that is set back', async () => {
    const { clock, wait } = setUp();
    for (const by of [
      { wall: 5000, monotonic: 5000 },
      { wall: -120 * MINUTE, monotonic: 0 },
    ]) {
      const over = wait(0);
      clock.jump(by);
      await clock.advance(0);
      expect((await over).suspend).toBeUndefined();
    }
  });
});
