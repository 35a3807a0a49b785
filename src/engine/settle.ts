import type { Facts } from '../model/facts.ts';
import { isCreate, kindHas } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { finish, MEDIA_IN_FLIGHT, putOff, takeInAdded } from './finish.ts';
import type { Judged, Verdict } from './judge.ts';
import { putOffEnd } from './outcome-table.ts';
import { type AttemptEnd, columnOf, isLeftPending, type Run } from './run.ts';
import { STOPPED } from './stopping.ts';
import type { Ended } from './work-source.ts';

export async function settle(run: Run, node: PlannedNode, ended: AttemptEnd): Promise<void> {
  run.running.delete(node.address);
  if (ended.type === 'judged') return takeJudged(run, node, ended.judged);
  if (ended.type === 'withheld') await takeWithheld(run, node, ended.problem);
  else if (ended.type === 'not-now') {
    run.progress.notBegun(node);
    await run.work.wait(node.address, ended.ms);
  } else if (ended.type === 'no-room') await finish(run, { node, end: 'put-off', problem: MEDIA_IN_FLIGHT });
  // Its work source no longer has it.
  else if (ended.type === 'taken-over') await finish(run, { node, end: 'put-off' });
  else await takeTrouble(run, node, ended);
  run.admission.requested(node);
}

/** Nothing is created any more, also what would still fit: what is requested first is the plan's to decide. */
async function takeWithheld(run: Run, node: PlannedNode, problem: Problem): Promise<void> {
  await finish(run, { node, end: 'put-off', problem });
  if (run.stopping.reasons.has('over-budget')) return;
  run.stopping.reasons.add('over-budget');
  await putOff(run, isCreate, problem);
}

async function takeTrouble(
  run: Run,
  node: PlannedNode,
  ended: Exclude<AttemptEnd, { type: 'judged' | 'withheld' | 'not-now' | 'no-room' | 'taken-over' }>,
): Promise<void> {
  const { errors, stopping } = run;
  const mayExist = isCreate(node) && (ended.type !== 'not-written' || ended.sent);
  const end = mayExist ? 'unknown' : putOffEnd(columnOf(run, node));
  switch (ended.type) {
    case 'not-written':
      errors.write ??= { error: ended.error };
      stopping.enter('finish', 'cannot-write');
      if (ended.kept) return finish(run, endedWith(run, node, ended.kept));
      return finish(run, { node, end, problem: { summary: 'the state cannot be written' } });
    case 'crashed':
      errors.bug ??= { error: ended.error };
      stopping.enter('finish');
      return finish(run, { node, end, problem: { summary: 'a bug in campaign' } });
    case 'cut':
      return finish(run, { node, end, problem: STOPPED });
  }
}

async function takeJudged(run: Run, node: PlannedNode, judged: Judged): Promise<void> {
  const { admission, stopping, progress, work } = run;
  const { facts, verdict } = judged;
  if (verdict.next === 'wait' && stopping.phase === 'run' && !admission.quotaOf(node.kind))
    return takeWait(run, node, { ...judged, verdict });
  const ended = endedWith(run, node, judged);
  const adds = addedBy(run, facts);
  const dependents = ended.end === 'done' ? await work.dependents(node.address) : [];
  const media = dependents.filter((each) => kindHas(each, 'stored', 'take'));
  await finish(run, ended, adds);
  admission.requested(node, media.length);
  if (media.length > 0) progress.made(node.address);
  if (verdict.next === 'end' && verdict.stops) {
    run.errors.refused ??= judged.problem;
    stopping.enter('finish', verdict.stops);
  }
  if (run.failFast === 'stop' && FAILURES.has(ended.end)) stopping.enter('finish', 'fail-fast');
  await endWhatIsOver(run, ended, facts);
}

const FAILURES: ReadonlySet<Ended['end']> = new Set(['failed', 'rejected', 'lost', 'unknown']);

/** A used-up quota, or too many creates without an answer, ends nodes that have not started. */
async function endWhatIsOver(run: Run, { node, end }: Ended, { came }: Facts): Promise<void> {
  const { admission, stopping } = run;
  const quota = came === 'result' ? undefined : admission.quotaOf(node.kind);
  if (quota) await putOff(run, (each) => admission.quotaOf(each.kind) !== undefined, quota.problem);
  if (end !== 'unknown' || !admission.createsEnded || stopping.reasons.has('creates-ended')) return;
  stopping.reasons.add('creates-ended');
  await putOff(run, isCreate, CREATES_ENDED);
}

/** As `endWhatIsOver`, for what earlier runs of the command have found out. */
export async function endWhatWasOver(run: Run): Promise<void> {
  const { admission } = run;
  for (const quota of admission.quotas)
    await putOff(run, ({ kind }) => admission.quotaOf(kind) === quota, quota.problem);
  if (admission.createsEnded) await putOff(run, isCreate, CREATES_ENDED);
}

export const CREATES_ENDED: Problem = { summary: 'three creates in a row had an unknown outcome' };

type Waiting = Judged & { readonly verdict: Extract<Verdict, { next: 'wait' }> };

async function takeWait(run: Run, node: PlannedNode, { facts, verdict, problem }: Waiting): Promise<void> {
  const { admission, rechecks, work, progress } = run;
  const adds = addedBy(run, facts);
  admission.requested(node);
  if (facts.came === 'pending' && rechecks.isRecheck(node)) {
    admission.generating(node.address);
    for (const ended of rechecks.found(node)) await finish(run, ended);
    await work.release(node.address);
    if (isLeftPending(run, node)) return finish(run, { node, end: 'pending' }, adds);
  }
  await takeInAdded(run, adds, await work.wait(node.address, verdict.ms, adds));
  progress.waits(node, facts, { ...verdict, problem });
}

/** Two rechecks of one request may find the same surplus post. */
function addedBy({ added }: Run, facts: Facts): readonly PlannedNode[] {
  const adds = 'adds' in facts ? (facts.adds ?? []) : [];
  const fresh = adds.filter(({ address }) => !added.has(address));
  for (const node of fresh) added.set(node.address, node);
  return fresh;
}

function endedWith(run: Run, node: PlannedNode, { facts, verdict, problem }: Judged): Ended {
  const end = verdict.next === 'end' ? verdict.end : putOffEnd(columnOf(run, node));
  const files = facts.came === 'result' && 'files' in facts.result ? facts.result.files : undefined;
  if (!files) return { node, end, problem };
  const unverified = files.flatMap(({ path, unverified: why }) => (why === undefined ? [] : [{ path, why }]));
  return { node, end, files: files.map(({ path }) => path), ...(unverified.length ? { unverified } : {}) };
}
