/** Reads what the service has, as often and as many at once as the limits of the manifest allow. */
import pLimit from 'p-limit';
import type { Limits } from '../manifest/manifest.ts';
import type { NodeKind } from '../model/kinds.ts';
import type { ServiceError } from '../service/service-error.ts';
import { fullJitter } from '../util/backoff.ts';
import type { Result } from '../util/result.ts';
import type { Runtime } from './runtime.ts';

const ATTEMPTS = 3;
/** What the service asks to wait beyond this is left to another day. */
const LONGEST_WAIT_MS = 300_000;

/** After one of these, another attempt may be answered otherwise. */
const PASSING: ReadonlySet<ServiceError['came']> = new Set([
  'not-sent',
  'no-answer',
  'unusable',
  'throttled',
  'server-error',
  'not-done',
  'passing',
  'passing-refusal',
]);

export type Read = <T>(
  kind: NodeKind,
  ask: () => Promise<Result<T, ServiceError>>,
) => Promise<Result<T, ServiceError>>;

export function createReads({ clock, random }: Pick<Runtime, 'clock' | 'random'>, limits: Limits): Read {
  const { total, perKind, requestsPerSecond } = limits;
  const ofAll = pLimit(total);
  const ofKinds = new Map<NodeKind, typeof ofAll>();
  const gapMs = requestsPerSecond === undefined ? 0 : 1_000 / requestsPerSecond;
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
  /** Nothing is sent before: a wait that the service asks for holds for all. */
  let nextAt = 0;

  async function turn(): Promise<void> {
    const at = Math.max(clock.monotonic(), nextAt);
    nextAt = at + gapMs;
    const waitMs = at - clock.monotonic();
    if (waitMs > 0) await sleep(waitMs);
  }

  async function patiently<T>(ask: () => Promise<Result<T, ServiceError>>): Promise<Result<T, ServiceError>> {
    for (let attempt = 1; ; attempt++) {
      await turn();
      const answer = await ask();
      if (answer.ok || attempt === ATTEMPTS || !PASSING.has(answer.error.came)) return answer;
      const { came, retryAfterMs = 0 } = answer.error;
      if (retryAfterMs > LONGEST_WAIT_MS) return answer;
      const baseMs = came === 'throttled' ? 1_000 : 200;
      const waitMs = Math.max(retryAfterMs, fullJitter({ attempt, baseMs, capMs: 20_000, random }));
      if (came === 'throttled') nextAt = Math.max(nextAt, clock.monotonic() + waitMs);
      else await sleep(waitMs);
    }
  }

  return (kind, ask) => {
    const ofKind = ofKinds.get(kind) ?? pLimit(perKind[kind] ?? total);
    ofKinds.set(kind, ofKind);
    return ofKind(() => ofAll(() => patiently(ask)));
  };
}
