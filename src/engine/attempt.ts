import type { Facts } from '../model/facts.ts';
import { isCreate } from '../model/kinds.ts';
import { NotBegun } from '../model/not-begun.ts';
import type { Job } from '../model/step.ts';
import { judge, type Judged, problemOf } from './judge.ts';
import { eventBefore, outcomeEvents } from './outcome-events.ts';
import { rowOf } from './outcome-table.ts';
import { type AttemptEnd, columnOf, type Run } from './run.ts';
import { STOPPED } from './stopping.ts';

interface Sending {
  readonly job: Job;
  readonly signal: AbortSignal;
  /** The facts of the step; undefined once it was cut. */
  readonly send: () => Promise<Facts | undefined>;
}

/** One attempt: intent (of a create), request, end, each durable before the next. */
export async function attempt(run: Run, { job, signal, send }: Sending): Promise<AttemptEnd> {
  const { recorder, now, stopping, admission } = run;
  const { node } = job;
  const withheld = run.whyNot?.(node);
  if (withheld) {
    admission.abandoned(node);
    return { type: 'withheld', problem: withheld };
  }
  const before = eventBefore(job, now);
  try {
    if (before) await recorder.append([before]);
  } catch (error) {
    admission.abandoned(node);
    if (error instanceof NotBegun) return error.why;
    return isTakenOver(error) ? { type: 'taken-over' } : { type: 'not-written', sent: false, error };
  }
  let facts: Facts | undefined = NOT_SENT;
  try {
    if (stopping.open) facts = await send();
  } catch (error) {
    admission.abandoned(node);
    return { type: 'crashed', error };
  }
  if (!facts) {
    admission.abandoned(node);
    return { type: 'cut' };
  }
  const judged = judgeAttempt(run, job, { facts, signal });
  const events = outcomeEvents(node, judged, now());
  if (events.note.length > 0) recorder.note(events.note);
  try {
    if (events.append.length > 0) await recorder.append(events.append);
  } catch (error) {
    return { type: 'not-written', sent: true, error, ...(isKept(error) && { kept: judged }) };
  }
  return { type: 'judged', judged };
}

/** The run was stopped before the request was sent. */
const NOT_SENT: Facts = { came: 'aborted', sent: 'no', problem: STOPPED };

/** Another process works on this node (`SharedRun.recorder`). */
function isTakenOver(error: unknown): boolean {
  return error instanceof Error && 'isTakenOver' in error;
}

/** The log did not take the events, but a spill file did (`Recorder.append`). */
function isKept(error: unknown): boolean {
  return error instanceof Error && 'keptIn' in error && error.keptIn !== undefined;
}

/** An aborted request says nothing about the service, unless it succeeded; creates that were sent are not aborted. */
function judgeAttempt(
  run: Run,
  { node, attempt }: Job,
  { facts: given, signal }: { readonly facts: Facts; readonly signal: AbortSignal },
): Judged {
  const { admission, random } = run;
  run.waker.wake();
  const hasEnded = given.came === 'result' || (isCreate(node) && given.came !== 'aborted');
  const isAborted = given.came === 'aborted' || (signal.aborted && !hasEnded);
  const facts = given.came !== 'aborted' && isAborted ? NOT_SENT : given;
  const column = columnOf(run, node, facts.sent);
  if (isAborted) admission.abandoned(node);
  // Before the end is durable, because the slot that is free now must not go to another node of this kind.
  const isPaid = isAborted || admission.report(node, facts, rowOf(column, facts.came));
  const noToken = 'noToken' in facts ? facts.noToken : undefined;
  const isTokenDue = noToken === 'due' || (noToken === 'unreached' && admission.isReached());
  const verdict = judge({ column, facts, attempt, isPaid, isTokenDue, random });
  const isStopped = isAborted && signal.aborted;
  const problem = isStopped ? STOPPED : problemOf(facts, verdict.next === 'end' ? verdict.end : undefined);
  return { facts, verdict, problem };
}
