import { describe, expect, it } from 'vitest';
import { createRuleBook } from '../../src/emulator/fault-rules/rule-book.ts';
import type { FaultRule, When } from '../../src/emulator/fault-rules/fault-rule.ts';
import { ruleMistake } from '../../src/emulator/fault-rules/check-rule.ts';
import { createManualClock } from '../support/manual-clock.ts';

const FAIL = { fault: 'status', status: 503 } as const;
const CREATE = 'POST /products/';

function bookOf(orders: readonly FaultRule[], seed = 'seed') {
  const clock = createManualClock();
  return { clock, book: createRuleBook({ clock, seed, orders }) };
}

/** Which of so many calls are played, from 1. */
function played(when: When, calls = 10): number[] {
  const { book } = bookOf([{ on: CREATE, when, do: FAIL }]);
  return Array.from({ length: calls }, (_, index) => index + 1).filter(() => book.decide(CREATE));
}

describe('an order', () => {
  it.each<[string, When, number[]]>([
    ['always', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['the third call', { nth: 3 }, [3]],
    ['some calls', { nth: [1, 9] }, [1, 9]],
    ['the eighth call and all after it', { from: 8 }, [8, 9, 10]],
    ['at most twice', { times: 2 }, [1, 2]],
    ['at most twice from the fifth on', { from: 5, times: 2 }, [5, 6]],
    ['none', { share: 0 }, []],
    ['all', { share: 1, nth: [2, 3] }, [2, 3]],
    ['those beyond two a second', { perSecond: 2 }, [3, 4, 5, 6, 7, 8, 9, 10]],
    ['not before its time', { afterMs: 1 }, []],
    ['not after its time', { untilMs: 0 }, []],
  ])('is played %s', (_name, when, calls) => {
    expect(played(when)).toEqual(calls);
  });

  it('is played in a window of time', async () => {
    const { clock, book } = bookOf([{ on: '*', when: { afterMs: 1000, untilMs: 3000 }, do: FAIL }]);
    const seen: boolean[] = [];
    for (let second = 0; second < 5; second += 1) {
      seen.push(book.decide(CREATE) !== undefined);
      await clock.advance(1000);
    }
    expect(seen).toEqual([false, true, true, false, false]);
  });

  it('lets so many calls through in any second', async () => {
    const { clock, book } = bookOf([{ on: CREATE, when: { perSecond: 3 }, do: FAIL }]);
    const passed: number[] = [];
    for (let ms = 0; ms < 3000; ms += 100) {
      if (book.decide(CREATE) === undefined) passed.push(ms);
      await clock.advance(100);
    }
    expect(passed).toEqual([0, 100, 200, 1000, 1100, 1200, 2000, 2100, 2200]);
  });

  it('draws a share of the calls, the same with the same seed', () => {
    const draw = (seed: string) => {
      const { book } = bookOf([{ on: CREATE, when: { share: 0.05 }, do: FAIL }], seed);
      return Array.from({ length: 10_000 }, () => book.decide(CREATE) !== undefined);
    };
    const first = draw('a');
    expect(first.filter(Boolean).length).toBeGreaterThan(400);
    expect(first.filter(Boolean).length).toBeLessThan(600);
    expect(draw('a')).toEqual(first);
    expect(draw('b')).not.toEqual(first);
  });

  it('counts for itself, and the first whose time has come is played', () => {
    const { book } = bookOf([
      { on: CREATE, when: { nth: 2 }, do: { fault: 'cut', effect: 'before' } },
      { on: ['GET /products/{id}/', CREATE], when: { from: 2 }, do: FAIL },
      { on: '*', do: { fault: 'delay', ms: 5 } },
    ]);
    const faults = [
      CREATE,
      CREATE,
      CREATE,
      'GET /products/{id}/',
      'DELETE /concepts/{id}/',
      'generation',
    ].map((route) => book.decide(route)?.fault);
    expect(faults).toEqual(['delay', 'cut', 'status', 'status', 'delay', undefined]);
    expect(book.counts()).toEqual([
      { on: CREATE, do: 'cut', calls: 3, played: 1 },
      { on: ['GET /products/{id}/', CREATE], do: 'status', calls: 4, played: 2 },
      { on: '*', do: 'delay', calls: 5, played: 2 },
    ]);
  });

  it('begins anew when it is replaced', async () => {
    const order: FaultRule = { on: CREATE, when: { nth: 1, untilMs: 1000 }, do: FAIL };
    const { clock, book } = bookOf([order]);
    expect([book.decide(CREATE), book.decide(CREATE)]).toEqual([FAIL, undefined]);
    await clock.advance(5000);
    book.replace([order]);
    expect(book.decide(CREATE)).toEqual(FAIL);
    book.replace([]);
    expect([book.decide(CREATE), book.counts()]).toEqual([undefined, []]);
  });
});

describe('an order that can never be played', () => {
  it.each<[FaultRule, string]>([
    [{ on: 'POST /product/', do: FAIL }, 'There is no endpoint "POST /product/".'],
    [
      { on: CREATE, do: { fault: 'generation', how: 'stuck' } },
      'The fault `generation` happens to a post, not to a request: write `on: generation`.',
    ],
    [
      { on: ['generation', CREATE], do: FAIL },
      'To the making of a post only the fault `generation` can happen. Write the endpoint that it is meant for.',
    ],
    [
      { on: '*', do: { fault: 'body', body: 'wrong-type' } },
      'The body `wrong-type` is for files only: write `on: GET /files/{id}`.',
    ],
  ])('says why: %j', (order, mistake) => {
    expect(ruleMistake(order)).toBe(mistake);
    expect(() => bookOf([order])).toThrow(mistake);
  });
});
