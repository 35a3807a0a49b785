import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { StateEvent } from '../model/state-event.ts';
import { type StateHeader, type StateIdentity, stateInFile } from '../store/store.ts';
import { err, ok, type Result } from '../util/result.ts';
import { isSameBaseUrl } from '../util/same-base-url.ts';
import { type Consenting, changeOpened, changeState } from './change-state.ts';
import type { Campaign } from './campaign.ts';
import { writingOf } from './open-for-run.ts';
import { readState, stateRefusal } from './read-state.ts';
import { identityOf } from './state-place.ts';
import { headsInStorage } from './stored-heads.ts';
import type { Runtime } from './runtime.ts';

interface Rebound {
  readonly type: 'no-state' | 'as-before' | 'rebound';
  readonly known: number;
  readonly place: string;
}

export async function rebindState(
  runtime: Runtime,
  campaign: Campaign,
  options: Consenting,
): Promise<Result<Rebound, Refusal>> {
  const heads = await headsInStorage(runtime, campaign);
  if (!heads.ok) return heads;
  const allow = ['foreign', 'diverged'] as const;
  const change = { ...options, campaign, command: 'state rebind', allow, heads: heads.value };
  return changeState<Rebound>(runtime, change, ({ header, known, version, diverged }, at) => {
    const identity = identityOf(campaign.manifest);
    const place = identityText(identity);
    const isOurs = isBound(header, identity);
    if (version === '') return ok({ value: { type: 'no-state', known, place } });
    const before = isOurs ? '' : ` It was the state of ${identityText(header)}.`;
    const other = diverged ? ` ${diverged.summary}: what only the other copy has is not known here.` : '';
    const what =
      `${campaign.store.name} knows ${known} nodes, and they are taken for what exists at ${place}.${before}${other} ` +
      'What does not exist there fails, and what exists there but is not known here is made again.';
    const question = { what, question: 'Rebind it?' };
    // A worker, or another folder, may know more of a log in a database than this machine: it finds the decision in the log.
    const isForOthers = !campaign.store.inFile && options.consent.isGiven(question);
    if (isOurs && !diverged && !isForOthers) return ok({ value: { type: 'as-before', known, place } });
    return ok({
      value: { type: 'rebound', known, place },
      events: [reboundEvent(identity, at)],
      // A state without nodes is right for any campaign.
      question: known > 0 ? question : undefined,
    });
  });
}

interface Adopted {
  readonly from: string;
  readonly known: number;
  readonly place: string;
}

/** Binds a log in the database of this campaign to it: one that another clone has begun, or that has another name. */
export async function adoptFromDatabase(
  runtime: Runtime,
  campaign: Campaign,
  { consent, ...locking }: Consenting,
): Promise<Result<Adopted, Refusal>> {
  const { name: from } = campaign.store;
  const identity = identityOf(campaign.manifest);
  const place = identityText(identity);
  const found = await readState(campaign);
  if (found.ok) return err(found.value.header ? isAdopted(from, place) : nothingToAdopt(from, place));
  if (!['state-elsewhere', 'state-foreign'].includes(found.error.problems[0]?.code ?? '')) return found;
  const change = { command: 'state adopt', allow: ['foreign', 'elsewhere'], consent, campaign } as const;
  return changeState(runtime, { ...change, ...locking }, ({ header, known }, at) => {
    const what =
      `${from} knows ${known} nodes and is the state of ${identityText(header)}. It becomes the state of ${place}, and its ` +
      'nodes are taken for what exists there.';
    const events = isBound(header, identity) ? [] : [reboundEvent(identity, at)];
    return ok({ value: { from, known, place }, events, question: { what, question: 'Adopt it?' } });
  });
}

function isAdopted(from: string, place: string): Refusal {
  const detail = `${from} has the state of ${place} already. Nothing was changed.`;
  return refusal(EXIT.usage, { code: 'state-exists', summary: 'There is a state', detail });
}

function nothingToAdopt(from: string, place: string): Refusal {
  const detail = `${from} has no state of ${place}: the first apply begins one. Nothing was changed.`;
  return refusal(EXIT.usage, { code: 'no-state', summary: 'There is no such state', detail });
}

/** Binds a state under another name, in this file, to this campaign, and gives it its proper name. */
export async function adoptState(
  runtime: Runtime,
  campaign: Campaign,
  { file, consent, ...locking }: Consenting & { readonly file: string },
): Promise<Result<Adopted, Refusal>> {
  const inFile = stateInFile(campaign.store);
  if (!inFile.ok) return err(stateRefusal(inFile.error, campaign));
  const identity = identityOf(campaign.manifest);
  const place = identityText(identity);
  const open = async () => {
    const run = writingOf(runtime, campaign, { command: 'state adopt', ...locking });
    const opened = await inFile.value.adopt(file, run);
    return opened.ok ? opened : err(stateRefusal(opened.error, campaign));
  };
  return changeOpened(runtime, { consent, open }, ({ header, known, from, to, succeeds }, at) => {
    const before = succeeds
      ? ` Another state was ${to} before: what only that one knows would be made again.`
      : '';
    const what =
      `${from} knows ${known} nodes and is the state of ${identityText(header)}. It ` +
      `becomes ${to}, the state of ${place}, and its nodes are taken for what exists there.${before}`;
    const events = isBound(header, identity) ? [] : [reboundEvent(identity, at)];
    return ok({ value: { from, known, place }, events, question: { what, question: 'Adopt it?' } });
  });
}

function isBound(header: StateHeader, { campaign, environment, baseUrl }: StateIdentity): boolean {
  const isSame = header.campaign === campaign && header.environment === environment;
  return isSame && isSameBaseUrl(header.baseUrl, baseUrl);
}

function identityText({ campaign, environment, baseUrl }: StateIdentity): string {
  return `${campaign}, ${environment}, ${baseUrl}`;
}

function reboundEvent({ campaign, environment, baseUrl }: StateIdentity, at: string): StateEvent {
  return { type: 'rebound', at, campaign, environment, base_url: baseUrl };
}
