import { isCreate } from '../model/kinds.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Job, Outcome, Recorder, Step } from '../model/step.ts';
import { intentEvent, outcomeEvents, updatingEvent } from './outcome-events.ts';
import { STOPPED } from './stop.ts';

/** How an attempt came out; by then its end is durable, if it has one. */
export type AttemptEnd =
  /** `given` by the step, and the `outcome` that it comes to for the node. */
  | { readonly type: 'outcome'; readonly given: Outcome; readonly outcome: Outcome }
  /** Left behind: what it sent may or may not happen. */
  | { readonly type: 'cut' }
  /** `kept`: what was sent has this outcome, and the next run takes it in from where it is kept. */
  | { readonly type: 'not-written'; readonly sent: boolean; readonly error: unknown; readonly kept?: Outcome }
  | { readonly type: 'crashed'; readonly error: unknown };

/** An attempt under way. */
export interface Attempt {
  readonly job: Job;
  readonly ended: Promise<AttemptEnd>;
  /** Asks the step to give up; its outcome is awaited all the same. */
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
  /** What the step's outcome comes to; called as soon as the request has ended, before that is durable. */
  readonly judge: (given: Outcome, signal: AbortSignal) => Outcome;
  /** The request ended without an outcome, or never left. */
  readonly abandoned: () => void;
}

/** Starts one attempt: intent (of a create), request, end, each durable before the next. */
export function startAttempt(options: AttemptOptions): Attempt {
  const controller = new AbortController();
  const leave: { now?: () => void } = {};

  /** The step's outcome, or undefined once cut. A race would leave a reaction behind for every attempt. */
  function request(): Promise<Outcome | undefined> {
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
  sending: { request: () => Promise<Outcome | undefined>; signal: AbortSignal },
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
  let given: Outcome | undefined;
  try {
    given = maySend() ? await sending.request() : NOT_SENT;
  } catch (error) {
    abandoned();
    return { type: 'crashed', error };
  }
  if (!given || given === NOT_SENT) abandoned();
  if (!given) return { type: 'cut' };
  const outcome = given === NOT_SENT ? NOT_SENT : judge(given, sending.signal);
  // A create's own end is what the log needs, whatever the engine makes of it.
  const events = outcomeEvents(node, isCreate(node) ? given : outcome, now());
  if (events.note.length > 0) recorder.note(events.note);
  try {
    if (events.append.length > 0) await recorder.append(events.append);
  } catch (error) {
    return { type: 'not-written', sent: true, error, ...(isKept(error) && { kept: outcome }) };
  }
  return { type: 'outcome', given, outcome };
}

/** The log did not take the events, and another file did (`Recorder.append`). */
function isKept(error: unknown): boolean {
  return error instanceof Error && 'keptIn' in error && error.keptIn !== undefined;
}

const NOT_SENT: Outcome = { type: 'put-off', problem: STOPPED };

/** What must be on the disk before the request leaves: the intent of a create, the note of an update. */
function beforeSending({ node, attempt }: Job, now: () => string): StateEvent | undefined {
  if (isCreate(node)) return intentEvent(node, attempt, now());
  return node.action === 'update' && attempt === 1 ? updatingEvent(node, now()) : undefined;
}
