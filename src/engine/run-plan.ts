/**
 * Carries out a plan: start what is allowed, await one (an attempt that ended, a due time, a stop), take it in,
 * repeat. Waiting holds no slot, and only the bell sleeps.
 */
import type { Address } from '../model/address.ts';
import { isCreate, kindHas } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { NodeEnd } from '../model/run-event.ts';
import type { Job, Outcome } from '../model/step.ts';
import { createAdmission } from './admission.ts';
import { type Attempt, type AttemptEnd, startAttempt } from './attempt.ts';
import { createBell } from './bell.ts';
import type { Ended } from './ended.ts';
import { createHalt } from './halt.ts';
import { createIdleEnds } from './idle-ends.ts';
import { createLooks, isLook, isPoll } from './looks.ts';
import { endedWith, isFailure, problemOf, putOffEnd } from './node-end.ts';
import { createProgress } from './progress.ts';
import { createQuotas } from './quotas.ts';
import { isQuota, type Wait } from './retry-rules.ts';
import type { RunOptions, RunReport } from './run-options.ts';
import { STOPPED } from './stop.ts';
import { createStopping } from './stopping.ts';
import { upstreamResults } from './upstream-results.ts';
import { createWork } from './work-queue.ts';

type Thrown = { readonly error: unknown };

/** Runs until every node has ended or the run was stopped; rejects only for a bug, once what was sent has ended. */
export async function runPlan(options: RunOptions): Promise<RunReport> {
  const { steps, recorder, clock, random, now, stop } = options;
  const bell = createBell(clock);
  const stopping = createStopping({ stop, clock, deadlineMs: options.deadlineMs });
  const halt = createHalt({ stopping, clock, emit: options.emit });
  const admission = createAdmission({ limits: options.limits, clock, random });
  const work = createWork();
  const looks = createLooks({ work, finish });
  const quotas = createQuotas();
  const idle = createIdleEnds({ work, finish });
  const progress = createProgress({ clock, emit: options.emit });
  const running = new Map<Address, Attempt>();
  const arrivals: { readonly node: PlannedNode; readonly ended: AttemptEnd }[] = [];
  const ends = new Map<Address, NodeEnd>();
  const added: PlannedNode[] = [];
  const errors: { write?: Thrown; bug?: Thrown; refused?: Problem } = {};

  const silence = stop.onChange(() => bell.ring());
  try {
    await loop();
  } finally {
    silence();
  }
  if (errors.bug) throw errors.bug.error;
  const writeError = errors.write ? { writeError: errors.write.error } : {};
  return { ends, added, stopped: stopping.reasons, ...writeError };

  async function loop(): Promise<void> {
    takeIn(options.nodes);
    for (;;) {
      for (const { node, ended } of arrivals.splice(0)) settle(node, ended);
      checkStop();
      if (stopping.phase === 'run') startAllowed();
      if (running.size === 0 && (work.left === 0 || stopping.phase !== 'run')) break;
      if (running.size === 0 && work.nextDue === undefined) idle.putOffStalled();
      else await sleep();
    }
    // What was put off was put off because nothing came back: the service is down, however soon that was clear.
    if (admission.unavailable && [...ends.values()].includes('put-off')) stopping.note('unavailable');
    idle.endAfterStop(stopping.reasons);
  }

  async function sleep(): Promise<void> {
    // After a stop nothing becomes due any more.
    const due = stopping.phase === 'run' ? [work.nextDue ?? Infinity, admission.givesUpAt()] : [];
    const standstill = await bell.wait(Math.min(stopping.nextAt, halt.nextAt, ...due));
    if (!standstill) return;
    admission.stoodStill(standstill.ms);
    progress.stoodStill(standstill.ms);
    options.onResume?.();
  }

  function takeIn(nodes: readonly PlannedNode[]): void {
    announce(work.add(nodes));
    for (const node of nodes) {
      // A medium without its request in this run was requested before: it is being generated already.
      const resumed = isPoll(node) && !node.dependsOn.some((request) => work.has(request));
      if (resumed && !ends.has(node.address)) admission.generating(node.address);
      const quota = quotas.of(node.kind);
      if (quota) finish({ node, end: putOffEnd(node), problem: quota.problem });
    }
  }

  function checkStop(): void {
    if (clock.monotonic() >= admission.givesUpAt()) stopping.drain('unavailable');
    stopping.check();
    halt.check([...running.values()]);
  }

  function startAllowed(): void {
    work.wakeDue(clock.monotonic());
    for (let node = work.next(mayStart); node; node = work.next(mayStart)) {
      if (isLeftPending(node)) finish({ node, end: 'pending' });
      else start(node);
    }
  }

  function mayStart(node: PlannedNode): boolean {
    if (isLeftPending(node)) return true;
    if (quotas.of(node.kind)) return false;
    const at = admission.opensAt(node);
    if (at <= clock.monotonic()) return true;
    if (at < Infinity) work.wakeAt(at);
    return false;
  }

  function isLeftPending(node: PlannedNode): boolean {
    return options.waiting === 'submit-only' && isPoll(node);
  }

  function start(node: PlannedNode): void {
    admission.started(node);
    const job: Job = { node, ...progress.started(node), results: upstreamResults(node, recorder.state) };
    const attempt = startAttempt({
      job,
      step: steps[node.kind],
      recorder,
      now,
      maySend: () => stopping.open,
      judge: (given, signal) => judge(job, given, signal),
      abandoned: () => admission.abandoned(node),
    });
    running.set(node.address, attempt);
    void follow(node, attempt);
  }

  async function follow(node: PlannedNode, attempt: Attempt): Promise<void> {
    arrivals.push({ node, ended: await attempt.ended });
    bell.ring();
  }

  /** An aborted request says nothing about the service, unless it was done all the same; a create that left was not. */
  function judge({ node, attempt }: Job, given: Outcome, signal: AbortSignal): Outcome {
    bell.ring();
    const hasEnded = given.type === 'done' || (isCreate(node) && given.type !== 'put-off');
    if (!signal.aborted || hasEnded) {
      // Before its end is durable: the slot that is free now is for nobody else of its kind.
      if (isQuota(given, clock.monotonic())) quotas.used(node.kind, problemOf(given));
      return admission.judge(node, attempt, given);
    }
    admission.abandoned(node);
    return { type: 'put-off', problem: STOPPED };
  }

  function settle(node: PlannedNode, ended: AttemptEnd): void {
    running.delete(node.address);
    if (ended.type === 'outcome') {
      takeOutcome(node, ended);
      return;
    }
    const mayExist = isCreate(node) && (ended.type !== 'not-written' || ended.sent);
    const end = mayExist ? 'unknown' : putOffEnd(node);
    if (ended.type === 'not-written') {
      errors.write ??= { error: ended.error };
      stopping.finish('cannot-write');
      if (ended.kept) finish(endedWith(node, ended.kept));
      else finish({ node, end, problem: { summary: 'the state cannot be written' } });
    } else if (ended.type === 'crashed') {
      errors.bug ??= { error: ended.error };
      stopping.finish();
      finish({ node, end, problem: { summary: 'a bug in campaign' } });
    } else {
      finish({ node, end, problem: STOPPED });
    }
    admission.requested(node, []);
  }

  function takeOutcome(node: PlannedNode, { outcome }: AttemptEnd & { type: 'outcome' }): void {
    if (outcome.type === 'wait' && stopping.phase === 'run' && !quotas.of(node.kind)) {
      takeWait(node, outcome);
      return;
    }
    const ended = endedWith(node, outcome);
    finish(ended);
    if (outcome.type === 'done' && outcome.adds) {
      takeIn(outcome.adds);
      added.push(...outcome.adds);
    }
    const media = ended.end === 'done' ? mediaOf(node) : [];
    admission.requested(node, media);
    for (const address of media) progress.made(address);
    if (outcome.type === 'unauthorized') {
      errors.refused ??= outcome.problem;
      stopping.finish('unauthorized');
    }
    if (options.failFast === 'stop' && isFailure(ended.end)) stopping.finish('fail-fast');
    const quota = outcome.type === 'done' ? undefined : quotas.of(node.kind);
    if (quota) idle.putOff((each) => quotas.of(each.kind) !== undefined, quota.problem);
    if (admission.createsEnded && !stopping.reasons.has('creates-ended')) {
      stopping.note('creates-ended');
      idle.putOff(isCreate, { summary: 'three creates in a row had an unknown outcome' });
    }
  }

  function takeWait(node: PlannedNode, wait: Wait): void {
    admission.requested(node, []);
    if (isLook(node) && (wait.seen || wait.listed)) {
      admission.generating(node.address);
      const polled = looks.generating(node);
      if (isLeftPending(polled)) return finish({ node: polled, end: 'pending' });
    }
    work.wait(node.address, wait.until);
    progress.waits(node, wait);
  }

  function mediaOf(request: PlannedNode): Address[] {
    const dependents = work.dependents(request.address);
    return dependents.filter((node) => kindHas(node, 'stored', 'take')).map(({ address }) => address);
  }

  function finish(ended: Ended): void {
    // Whether a refused key came before or after a node was started says nothing: the cause is the same.
    const problem = ended.problem === STOPPED ? (errors.refused ?? STOPPED) : ended.problem;
    announce(work.finish({ ...ended, problem }));
  }

  function announce(all: readonly Ended[]): void {
    for (const ended of all) {
      const { node, end } = ended;
      ends.set(node.address, end);
      progress.ended(ended);
      // A post that this run never polled is still being generated.
      if (!(isLeftPending(node) && end === 'pending')) admission.settled(node.address);
      looks.ended(ended);
    }
  }
}
