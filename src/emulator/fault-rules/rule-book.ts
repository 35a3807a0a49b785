import type { Clock } from '../../util/clock.ts';
import { seededRandom } from '../pictures/seeded.ts';
import { ruleMistake } from './check-rule.ts';
import type { Fault, FaultRule, When } from './fault-rule.ts';
import { routesOf } from './routes.ts';

/** The fault rules in force, and how often each was matched. */
export interface RuleBook {
  /** Replaces all rules; counts and times begin anew. */
  replace(orders: readonly FaultRule[]): void;
  /** Counts one call of this route and returns the fault to play, if any. */
  decide(route: string): Fault | undefined;
  /** The rules in force, each with its count. */
  counts(): readonly RuleCount[];
}

export interface RuleCount {
  readonly on: FaultRule['on'];
  readonly do: Fault['fault'];
  /** Calls that matched. */
  readonly calls: number;
  readonly played: number;
}

interface Running {
  readonly order: FaultRule;
  readonly random: () => number;
  calls: number;
  played: number;
  /** Arrival times of the calls in the last second that were let through. */
  readonly passed: number[];
}

/** Each rule has a random sequence of its own, so that no rule changes what another one draws. */
export function createRuleBook(options: {
  clock: Clock;
  seed: string;
  orders: readonly FaultRule[];
}): RuleBook {
  let running: readonly Running[] = [];
  const byRoute = new Map<string, Running[]>();
  let since = 0;

  function replace(orders: readonly FaultRule[]): void {
    for (const order of orders) {
      const mistake = ruleMistake(order);
      if (mistake !== undefined) throw new TypeError(mistake);
    }
    since = options.clock.monotonic();
    running = orders.map((order, index) => {
      const random = seededRandom(`${options.seed} order ${index}`);
      return { order, random, calls: 0, played: 0, passed: [] };
    });
    byRoute.clear();
    for (const entry of running)
      for (const route of routesOf(entry.order.on))
        byRoute.set(route, [...(byRoute.get(route) ?? []), entry]);
  }

  function decide(route: string): Fault | undefined {
    const entries = byRoute.get(route);
    if (entries === undefined) return undefined;
    const elapsed = options.clock.monotonic() - since;
    let fault: Fault | undefined;
    for (const entry of entries) {
      entry.calls += 1;
      if (fault !== undefined || !holds(entry, elapsed)) continue;
      entry.played += 1;
      fault = entry.order.do;
    }
    return fault;
  }

  replace(options.orders);
  return {
    replace,
    decide,
    counts: () =>
      running.map(({ order, calls, played }) => ({ on: order.on, do: order.do.fault, calls, played })),
  };
}

/** The cheap conditions come first: only a call that passes them draws a random number or uses up the rate. */
function holds(entry: Running, elapsed: number): boolean {
  const { order, calls, played, random } = entry;
  const { nth, from, times, afterMs, untilMs, share, perSecond }: When = order.when ?? {};
  if (nth !== undefined && ![nth].flat().includes(calls)) return false;
  if (from !== undefined && calls < from) return false;
  if (times !== undefined && played >= times) return false;
  if (afterMs !== undefined && elapsed < afterMs) return false;
  if (untilMs !== undefined && elapsed >= untilMs) return false;
  if (share !== undefined && random() >= share) return false;
  return perSecond === undefined || isBeyond(perSecond, entry.passed, elapsed);
}

const SECOND_MS = 1_000;

/** Whether one more call is too many. A call that is not is remembered for a second. */
function isBeyond(perSecond: number, passed: number[], elapsed: number): boolean {
  while (passed[0] !== undefined && passed[0] <= elapsed - SECOND_MS) passed.shift();
  if (passed.length >= perSecond) return true;
  passed.push(elapsed);
  return false;
}
