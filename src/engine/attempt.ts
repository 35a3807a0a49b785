import type { Facts } from '../model/facts.ts';
import type { Problem } from '../model/problem.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Job, Recorder, Step } from '../model/step.ts';
import { isCreate } from '../model/kinds.ts';
import type { Verdict } from './judge.ts';
import { intentEvent, outcomeEvents, updatingEvent } from './outcome-events.ts';
import { STOPPED } from './stop.ts';

/** What a step found out, and what that comes to for the node. */
export interface Judged {
  readonly facts: Facts;
  readonly verdict: Verdict;
  /** Why the node is not done. */
  readonly problem: Problem | undefined;
}

/** How an attempt came out; by then its end is durable, if it has one. */
export type AttemptEnd =
  | { readonly type: 'judged'; readonly judged: Judged }
  /** Left behind: what it sent may or may not happen. */
  | { readonly type: 'cut' }
  /** `kept`: what was sent came to this, and the next run takes it in from where it is kept. */
  | { readonly type: 'not-written'; readonly sent: boolean; readonly error: unknown; readonly kept?: Judged }
  | { readonly type: 'crashed'; readonly error: unknown };

/** An attempt under way. */
export interface Attempt {
  readonly job: Job;
  readonly ended: Promise<AttemptEnd>;
  /** Asks the step to give up; what it has found out is awaited all the same. */
  abort(): void;
  /** Gives up waiting for the step. What the log is writing is still awaited. */
  cut(): void;
}

interface AttemptOptions {
  readonly job: Job;
  readonly step: Step;
  readonly recorder: Recorder;
  readonly now: () => string;
  /** Asked between intent and request. */
  readonly maySend: () => boolean;
  /** Called as soon as the request has ended, before that is durable. */
  readonly judge: (facts: Facts, signal: AbortSignal) => Judged;
  /** The request ended without telling anything, or never left. */
  readonly abandoned: () => void;
}

/** Starts one attempt: intent (of a create), request, end, each durable before the next. */
export function startAttempt(options: AttemptOptions): Attempt {
  const controller = new AbortController();
  const leave: { now?: () => void } = {};

  /** What the step found out, or undefined once cut. A race would leave a reaction behind for every attempt. */
  function request(): Promise<Facts | undefined> {
    return new Promise((resolve, reject) => {
      leave.now = () => resolve(undefined);
      options.step.run(options.job, controller.signal).then(resolve, reject);
    });
  }

  return {
    job: options.job,
    ended: run(options, { request, signal: controller.signal }).catch((error: unknown) => ({
      type: 'crashed',
      error,
    })),
    abort: () => controller.abort(),
    cut() {
      controller.abort();
      leave.now?.();
    },
  };
}

async function run(
  options: AttemptOptions,
  sending: { request: () => Promise<Facts | undefined>; signal: AbortSignal },
): Promise<AttemptEnd> {
  const { job, recorder, now, maySend, judge, abandoned } = options;
  const { node } = job;
  const before = beforeSending(job, now);
  if (before) {
    try {
      await recorder.append([before]);
    } catch (error) {
      abandoned();
      return { type: 'not-written', sent: false, error };
    }
  }
  let facts: Facts | undefined = NOT_SENT;
  try {
    if (maySend()) facts = await sending.request();
  } catch (error) {
    abandoned();
    return { type: 'crashed', error };
  }
  if (!facts) {
    abandoned();
    return { type: 'cut' };
  }
  const judged = judge(facts, sending.signal);
  const events = outcomeEvents(node, judged, now());
  if (events.note.length > 0) recorder.note(events.note);
  try {
    if (events.append.length > 0) await recorder.append(events.append);
  } catch (error) {
    return { type: 'not-written', sent: true, error, ...(isKept(error) && { kept: judged }) };
  }
  return { type: 'judged', judged };
}

/** The log did not take the events, and another file did (`Recorder.append`). */
function isKept(error: unknown): boolean {
  return error instanceof Error && 'keptIn' in error && error.keptIn !== undefined;
}

/** The run was stopped while the intent was written. */
const NOT_SENT: Facts = { came: 'aborted', sent: 'no', problem: STOPPED };

/** What must be on the disk before the request leaves: the intent of a create, the note of an update. */
function beforeSending({ node, attempt }: Job, now: () => string): StateEvent | undefined {
  if (isCreate(node)) return intentEvent(node, attempt, now());
  return node.action === 'update' && attempt === 1 ? updatingEvent(node, now()) : undefined;
}
