/**
 * Before `apply --recreate-missing` plans, it reads once more what the state says is gone: a spell of 404 must make nothing
 * anew. What came back is recorded as back; what is not clear is left. Posts that are lost are asked for by the run itself,
 * before it pays for them again.
 */
import { EXIT } from '../model/exit.ts';
import { type Problem, refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { Client } from '../service/client.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { changeState, type Consent } from './change-state.ts';
import { missingOf } from './missing.ts';
import type { PlanWishes } from './plan-wishes.ts';
import { isKnownGone, type Known, knownThings, type Reading } from './read-back.ts';
import { readWritable } from './read-state.ts';
import { readOnce, readsOf } from './refresh-campaign.ts';
import { eventsOf } from './refresh-findings.ts';
import type { Runtime } from './runtime.ts';
import { savedWishes } from './saved-plan.ts';
import { withService } from './resolve-look-up.ts';

interface Confirming {
  readonly wishes: PlanWishes;
  readonly savedPlan?: string | undefined;
  readonly lockTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const NO_QUESTION: Consent = { isGiven: () => true, ask: () => Promise.resolve(undefined) };

/** The wishes, with what is not to be made again. A saved plan is made again exactly, so for that nothing may be unclear. */
export async function confirmGone(
  runtime: Runtime,
  campaign: Campaign,
  { wishes: given, savedPlan, ...change }: Confirming,
): Promise<Result<PlanWishes, Refusal>> {
  const wishes = savedPlan === undefined ? given : ((await savedWishes(runtime, savedPlan)) ?? given);
  if (!wishes.recreateMissing) return ok(given);
  const open = await readWritable(campaign);
  if (!open.ok) return open;
  if (!toConfirm(runtime, campaign, { state: open.value.state, wishes }).length) return ok(given);
  const asking = { ...change, campaign, consent: NO_QUESTION, command: 'refresh (for --recreate-missing)' };
  const unclear = await changeState(runtime, asking, async ({ state }, at) => {
    const gone = toConfirm(runtime, campaign, { state, wishes });
    const read = await withService(runtime, campaign, state, (client) =>
      lookAgain(runtime, campaign, { gone, state, client }),
    );
    if (!read.ok) return read;
    const events = eventsOf(read.value, state, at);
    const value = read.value.filter(({ came }) => came === 'unclear');
    return ok({ value, ...(events.length && { events }) });
  });
  if (!unclear.ok) return unclear;
  const first = unclear.value[0];
  if (!first) return ok(given);
  const words = `${first.known.address}: ${problemOf(first).detail ?? problemOf(first).summary}`;
  if (savedPlan !== undefined) return err(notClear(words));
  runtime.emit({
    type: 'warning',
    summary: `Not made again, because it is not clear that it is gone: ${words}`,
  });
  return ok({ ...given, unclear: unclear.value.map(({ known }) => idOf(known)) });
}

function toConfirm(
  runtime: Runtime,
  campaign: Campaign,
  { state, wishes }: { readonly state: RunState; readonly wishes: PlanWishes },
): Known[] {
  const missing = missingOf(runtime, campaign, { state, wishes });
  return knownThings(state).filter((known) => {
    if (known.type === 'product') return known.object.goneAt !== undefined;
    return known.type === 'post' && known.take.status === 'done' && missing?.takes(known.take);
  });
}

/** So many other things are read, of which the service has to have one. */
const SIGNS = 3;

async function lookAgain(
  runtime: Runtime,
  campaign: Campaign,
  {
    gone,
    state,
    client,
  }: { readonly gone: readonly Known[]; readonly state: RunState; readonly client: Client },
): Promise<Result<Reading[], Refusal>> {
  const back = readsOf(runtime, campaign, { state, client });
  const signs = knownThings(state)
    .filter((known) => known.type !== 'post' && !isKnownGone(known))
    .slice(-SIGNS);
  const seen = await readOnce(signs, back, runtime);
  if (!seen.ok) return seen;
  const read = await readOnce(gone, back, runtime);
  if (!read.ok) return read;
  if ([...seen.value, ...read.value].some(({ came }) => came === 'here')) return read;
  const problem = signs.length ? DENYING : NO_SIGN;
  return ok(read.value.map(({ known }) => ({ known, came: 'unclear', problem })));
}

const DENYING: Problem = {
  summary: 'The service says 404 for other things as well',
  detail: 'the service says 404 for other things that it had as well',
};

const NO_SIGN: Problem = {
  summary: 'Nothing shows that the service is well',
  detail:
    'nothing else is known that the service could have, so it may be an outage or another account. `campaign state rm` ' +
    'forgets it, and the next apply makes it',
};

function problemOf(reading: Reading): Problem {
  return reading.came === 'unclear' ? reading.problem : DENYING;
}

function idOf(known: Known): string {
  return known.type === 'post' ? (known.take.result?.id ?? '') : known.id;
}

function notClear(words: string): Refusal {
  return refusal(EXIT.unavailable, {
    code: 'not-surely-gone',
    summary: 'It is not clear that it is gone',
    detail: `${words}. The saved plan makes it again, so nothing was sent. Apply it again later.`,
  });
}
