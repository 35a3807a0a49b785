/** Settles attempts that have ended. */
import type { Address } from '../model/address.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Facts } from '../model/facts.ts';
import type { NodeEnd } from '../model/run-event.ts';
import type { AttemptEnd, Judged } from './attempt.ts';
import type { Ended } from './ended.ts';
import { finish, takeIn } from './finish.ts';
import { putOff } from './idle-ends.ts';
import { isCreate, kindHas } from '../model/kinds.ts';
import type { Verdict } from './judge.ts';
import { putOffEnd } from './outcome-table.ts';
import { columnOf, isLeftPending, type Run } from './run.ts';
import { STOPPED } from './stop.ts';

export async function settle(run: Run, node: PlannedNode, ended: AttemptEnd): Promise<void> {
  run.running.delete(node.address);
  if (ended.type === 'judged') await takeJudged(run, node, ended.judged);
  else await takeTrouble(run, node, ended);
}

async function takeTrouble(
  run: Run,
  node: PlannedNode,
  ended: Exclude<AttemptEnd, { type: 'judged' }>,
): Promise<void> {
  const { errors, stopping, admission } = run;
  const mayExist = isCreate(node) && (ended.type !== 'not-written' || ended.sent);
  const end = mayExist ? 'unknown' : putOffEnd(columnOf(run, node, 'no'));
  if (ended.type === 'not-written') {
    errors.write ??= { error: ended.error };
    stopping.finish('cannot-write');
    if (ended.kept) await finish(run, endedWith(run, node, ended.kept));
    else await finish(run, { node, end, problem: { summary: 'the state cannot be written' } });
  } else if (ended.type === 'crashed') {
    errors.bug ??= { error: ended.error };
    stopping.finish();
    await finish(run, { node, end, problem: { summary: 'a bug in campaign' } });
  } else {
    await finish(run, { node, end, problem: STOPPED });
  }
  admission.requested(node, []);
}

async function takeJudged(run: Run, node: PlannedNode, judged: Judged): Promise<void> {
  const { admission, stopping, quotas, progress } = run;
  const { facts, verdict } = judged;
  if (verdict.next === 'wait' && stopping.phase === 'run' && !quotas.of(node.kind))
    return takeWait(run, node, { ...judged, verdict });
  const ended = endedWith(run, node, judged);
  const adds = addedBy(run, facts);
  const media = ended.end === 'done' ? await mediaOf(run, node) : [];
  await finish(run, ended, adds);
  admission.requested(node, media);
  for (const address of media) progress.made(address);
  if (verdict.next === 'end' && verdict.stops) {
    if (judged.problem) run.errors.refused ??= judged.problem;
    stopping.finish(verdict.stops);
  }
  if (run.failFast === 'stop' && isFailure(ended.end)) stopping.finish('fail-fast');
  await endWhatIsOver(run, node, facts.came === 'result');
}

/** A used-up quota, or too many creates without an answer, ends nodes that have not started. */
async function endWhatIsOver(run: Run, node: PlannedNode, isDone: boolean): Promise<void> {
  const { quotas, admission, stopping } = run;
  const quota = isDone ? undefined : quotas.of(node.kind);
  if (quota) await putOff(run, (each) => quotas.of(each.kind) !== undefined, quota.problem);
  if (!admission.createsEnded || stopping.reasons.has('creates-ended')) return;
  stopping.note('creates-ended');
  await putOff(run, isCreate, { summary: 'three creates in a row had an unknown outcome' });
}

type Waiting = Judged & { readonly verdict: Extract<Verdict, { next: 'wait' }> };

async function takeWait(run: Run, node: PlannedNode, { facts, verdict, problem }: Waiting): Promise<void> {
  const { admission, rechecks, work, progress } = run;
  const adds = addedBy(run, facts);
  admission.requested(node, []);
  if (facts.came === 'pending' && rechecks.isRecheck(node)) {
    admission.generating(node.address);
    for (const ended of rechecks.found(node)) await finish(run, ended);
    await work.release(node.address);
    if (isLeftPending(run, node)) return finish(run, { node, end: 'pending' }, adds);
  }
  await takeIn(run, adds, await work.wait(node.address, verdict.ms, adds));
  progress.waits(node, facts, { ...verdict, problem });
}

/** Two rechecks of one request may find the same surplus post. */
function addedBy({ added }: Run, facts: Facts): readonly PlannedNode[] {
  const adds = 'adds' in facts ? (facts.adds ?? []) : [];
  const fresh = adds.filter(({ address }) => !added.some((known) => known.address === address));
  added.push(...fresh);
  return fresh;
}

async function mediaOf({ work }: Run, request: PlannedNode): Promise<Address[]> {
  const dependents = await work.dependents(request.address);
  return dependents.filter((node) => kindHas(node, 'stored', 'take')).map(({ address }) => address);
}

/** The end of a node after its last attempt in this run; a node that would have to wait is deferred. */
function endedWith(run: Run, node: PlannedNode, { facts, verdict, problem }: Judged): Ended {
  const end = verdict.next === 'end' ? verdict.end : putOffEnd(columnOf(run, node, facts.sent));
  const files = facts.came === 'result' && 'files' in facts.result ? facts.result.files : undefined;
  if (!files) return { node, end, problem };
  const unverified = files.flatMap(({ path, unverified: why }) => (why === undefined ? [] : [{ path, why }]));
  return { node, end, files: files.map(({ path }) => path), ...(unverified.length ? { unverified } : {}) };
}

function isFailure(end: NodeEnd): boolean {
  return end === 'failed' || end === 'rejected' || end === 'lost' || end === 'unknown';
}
