/** Sends requests to an S3-compatible store until they succeed, or it makes no sense any more. */
import type { FatalProblem } from '../model/problem.ts';
import {
  createConnections,
  DEFAULT_TIMEOUTS,
  type ProxyFor,
  type RequestTimeouts,
} from '../service/connections.ts';
import { onAbort } from '../service/on-abort.ts';
import { createSecrets } from '../service/secrets.ts';
import { fullJitter } from '../util/backoff.ts';
import type { Clock } from '../util/clock.ts';
import { err, type Result } from '../util/result.ts';
import type { S3Settings } from './object-store.ts';
import type { NamedStore } from './s3-fault.ts';
import { type Receive, type S3Request, sendOnce } from './s3-request.ts';

export interface S3Surroundings {
  readonly clock: Clock;
  /** Times requests; `clock` by default. */
  readonly deadlines?: Clock | undefined;
  readonly random: () => number;
  readonly timeouts?: Partial<RequestTimeouts> | undefined;
  readonly proxyFor?: ProxyFor | undefined;
  /** Texts besides the credentials that must be in no message. */
  readonly secrets?: readonly string[] | undefined;
}

interface Pause {
  readonly leastMs?: number;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/** Also how often a store is asked whether it shows what it has taken. */
export const ATTEMPTS = 5;
const LONGEST_WAIT_MS = 20_000;
/** More than a run has requests at once. */
const IDLE_CONNECTIONS = 64;

export type S3Sender = ReturnType<typeof createS3Sender>;

export function createS3Sender(settings: S3Settings, around: S3Surroundings) {
  const { clock, deadlines = clock, random, proxyFor } = around;
  const store = namedStore(settings, around);
  const timeouts = { ...DEFAULT_TIMEOUTS, ...around.timeouts };
  const connections = createConnections({
    timeouts,
    clock,
    deadlines,
    concurrency: IDLE_CONNECTIONS,
    proxyFor,
    redact: store.secrets.redact,
  });
  const sending = { settings, connections, store, clock, known: { isBucketThere: false } };

  async function pause(attempt: number, { leastMs = 0, signal }: Pause): Promise<void> {
    if (signal?.aborted) return;
    const ms = fullJitter({ attempt, baseMs: 200, capMs: 5_000, random });
    let release = () => {};
    await new Promise<void>((resolve) => {
      const cancel = clock.after(Math.max(ms, leastMs), resolve);
      release = onAbort(signal ?? connections.closed, () => {
        cancel();
        resolve();
      });
    });
    release();
  }

  /** The last request failed after all attempts: the next one is tried once, so that a run does not take hours to end. */
  let isDown = false;

  async function send<T>(request: S3Request, receive: Receive<T>): Promise<Result<T, FatalProblem>> {
    for (let attempt = 1; ; attempt += 1) {
      const came = await sendOnce(sending, request, receive);
      if (came.ok) {
        isDown = false;
        return came;
      }
      const { isPassing, problem, waitMs = 0 } = came.error;
      // What was stopped says nothing about the store.
      if (request.signal?.aborted || connections.closed.aborted) return err(problem);
      if (!isPassing || isDown || attempt === ATTEMPTS) {
        isDown ||= isPassing;
        return err(problem);
      }
      await pause(attempt, { leastMs: Math.min(waitMs, LONGEST_WAIT_MS), signal: request.signal });
    }
  }

  return { store, clock, deadlines, timeouts, send, pause, close: () => connections.close() };
}

function namedStore(settings: S3Settings, around: S3Surroundings): NamedStore {
  const { bucket, prefix, secretAccessKey, sessionToken = '', accessKeyId } = settings;
  const secrets = createSecrets([secretAccessKey, sessionToken, accessKeyId, ...(around.secrets ?? [])]);
  return { ...settings, name: `s3://${[bucket, prefix].filter(Boolean).join('/')}`, secrets };
}
