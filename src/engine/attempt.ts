import type { Facts } from '../model/facts.ts';
import type { Problem } from '../model/problem.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Job, Recorder, Step } from '../model/step.ts';
import { isCreate } from '../model/kinds.ts';
import type { Verdict } from './judge.ts';
import { intentEvent, outcomeEvents, updatingEvent } from './outcome-events.ts';
import { STOPPED } from './stop.ts';

/** The facts that a step found, and what they mean for the node. */
export interface Judged {
  readonly facts: Facts;
  readonly verdict: Verdict;
  readonly problem: Problem | undefined;
}

/** How an attempt ended; its end is durable by then, if it has one. */
export type AttemptEnd =
  | { readonly type: 'judged'; readonly judged: Judged }
  /** Abandoned: its request may or may not be carried out. */
  | { readonly type: 'cut' }
  /** `kept`: the facts about what was sent are in a spill file, which the next run imports. */
  | { readonly type: 'not-written'; readonly sent: boolean; readonly error: unknown; readonly kept?: Judged }
  | { readonly type: 'crashed'; readonly error: unknown };

export interface Attempt {
  readonly job: Job;
  readonly ended: Promise<AttemptEnd>;
  /** Asks the step to stop; its facts are still awaited. */
  abort(): void;
  /** Stops waiting for the step. What is being written to the log is still awaited. */
  cut(): void;
}

interface AttemptOptions {
  readonly job: Job;
  readonly step: Step;
  readonly recorder: Recorder;
  readonly now: () => string;
  /** Asked between the intent and the request. */
  readonly maySend: () => boolean;
  /** Called as soon as the request has ended, before that is durable. */
  readonly judge: (facts: Facts, signal: AbortSignal) => Judged;
  /** The request ended without saying anything, or was never sent. */
  readonly abandoned: () => void;
}

/** Starts one attempt: intent (of a create), request, end, each durable before the next. */
export function startAttempt(options: AttemptOptions): Attempt {
  const controller = new AbortController();
  const leave: { now?: () => void } = {};

  /** The facts, or undefined once cut. Promise.race would keep a reaction in memory for every attempt. */
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

/** The log did not take the events, but a spill file did (`Recorder.append`). */
function isKept(error: unknown): boolean {
  return error instanceof Error && 'keptIn' in error && error.keptIn !== undefined;
}

/** The run was stopped while the intent was written. */
const NOT_SENT: Facts = { came: 'aborted', sent: 'no', problem: STOPPED };

/** What must be on disk before the request is sent: the intent of a create, the note of an update. */
function beforeSending({ node, attempt }: Job, now: () => string): StateEvent | undefined {
  if (isCreate(node)) return intentEvent(node, attempt, now());
  return node.action === 'update' && attempt === 1 ? updatingEvent(node, now()) : undefined;
}
