import type { Refusal } from '../model/problem.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { StateHeader, StateIdentity, WritableState } from '../store/store.ts';
import { err, ok, type Result } from '../util/result.ts';
import { isSameBaseUrl } from '../util/same-base-url.ts';
import { type Change, changeState } from './change-state.ts';
import { type Confirmation, NOT_AGREED } from './consent.ts';
import type { Campaign } from './campaign.ts';
import { recordRun } from './open-for-run.ts';
import { identityOf } from './read-state.ts';
import type { Runtime } from './runtime.ts';

/** The outcome: there is no state, it belongs to this campaign already, or it does now. */
export interface Rebound {
  readonly type: 'no-state' | 'as-before' | 'rebound';
  readonly known: number;
  readonly place: string;
}

/** Binds the state to this campaign. */
export function rebindState(
  runtime: Runtime,
  campaign: Campaign,
  change: Omit<Change, 'command' | 'allow'>,
): Promise<Result<Rebound, Refusal>> {
  const rebinding = { ...change, campaign, command: 'state rebind', allow: ['foreign', 'diverged'] } as const;
  return changeState(runtime, rebinding, async ({ open, at, agreed }) => {
    const identity = identityOf(campaign.manifest);
    const { header, known, version, recorder } = open;
    const end = (type: Rebound['type']) => ok({ type, known, place: identityText(identity) });
    if (version === '') return end('no-state');
    if (isBound(header, identity) && !open.diverged) return end('as-before');
    // A state without nodes is right for any campaign.
    const question = known > 0 ? questionOf(campaign, open) : undefined;
    if (question && !agreed(question, version)) return err(NOT_AGREED);
    await recordRun(recorder, [reboundEvent(identity, at)], at);
    return end('rebound');
  });
}

export function isBound(header: StateHeader, { campaign, environment, baseUrl }: StateIdentity): boolean {
  const isSame = header.campaign === campaign && header.environment === environment;
  return isSame && isSameBaseUrl(header.baseUrl, baseUrl);
}

export function identityText({ campaign, environment, baseUrl }: StateIdentity): string {
  return `${campaign}, ${environment}, ${baseUrl}`;
}

export function reboundEvent({ campaign, environment, baseUrl }: StateIdentity, at: string): StateEvent {
  return { type: 'rebound', at, campaign, environment, base_url: baseUrl };
}

function questionOf({ store, manifest }: Campaign, { header, known, diverged }: WritableState): Confirmation {
  const identity = identityOf(manifest);
  const before = isBound(header, identity) ? '' : ` It was the state of ${identityText(header)}.`;
  const other = diverged ? ` ${diverged.summary}: what only the other copy has is not known here.` : '';
  const what =
    `${store.name} knows ${known} nodes, and they are taken for what exists at ${identityText(identity)}.${before}${other} What does ` +
    'not exist there fails, and what exists there but is not known here is paid for again.';
  return { what, question: 'Rebind it?' };
}
