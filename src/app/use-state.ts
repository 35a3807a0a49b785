import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { StateEvent } from '../model/state-event.ts';
import { fileNamed } from '../store/open-store.ts';
import type { OpenState, StateHeader, StateIdentity } from '../store/store.ts';
import { isDatabaseUrl } from '../util/database-url.ts';
import { err, ok, type Result } from '../util/result.ts';
import { isSameBaseUrl } from '../util/same-base-url.ts';
import type { Campaign } from './campaign.ts';
import { type Consenting, changeOpened, changeState } from './change-state.ts';
import { writingOf } from './open-for-run.ts';
import { ownersOf } from './other-manifest.ts';
import { stateRefusal } from './read-state.ts';
import type { Runtime } from './runtime.ts';
import { identityOf } from './state-place.ts';
import { headsInStorage } from './stored-heads.ts';

const command = 'state use';

interface Used {
  readonly from: string;
  readonly known: number;
  /** Whose state it is now. */
  readonly whose: string;
  /** False where it was that before. */
  readonly isChanged: boolean;
}

/** Says that a state is the right one for this campaign; one that lies elsewhere gets its place. */
export function useState(
  runtime: Runtime,
  campaign: Campaign,
  { place, ...options }: Consenting & { readonly place: string },
): Promise<Result<Used, Refusal>> {
  const { store, stateFile } = campaign;
  const file = fileNamed(place);
  if (isDatabaseUrl(place)) return bindState(runtime, campaign, options);
  if (!file.ok) return Promise.resolve(err(stateRefusal(file.error, campaign)));
  const isOwn = store.inFile && path.resolve(file.value) === path.resolve(stateFile);
  return isOwn
    ? bindState(runtime, campaign, options)
    : takeState(runtime, campaign, { ...options, file: file.value });
}

async function bindState(
  runtime: Runtime,
  campaign: Campaign,
  options: Consenting,
): Promise<Result<Used, Refusal>> {
  const heads = await headsInStorage(runtime, campaign);
  if (!heads.ok) return heads;
  const { store, stateFile } = campaign;
  const identity = identityOf(campaign.manifest);
  const whose = identityText(identity);
  // The database has it, and nothing here says so.
  const isUnsaid = !store.inFile && !existsSync(stateFile);
  const allow = ['foreign', 'diverged', 'elsewhere'] as const;
  const change = { ...options, campaign, command, allow, heads: heads.value };
  return changeState<Used>(runtime, change, ({ header, known, version, diverged, runs }, at) => {
    if (version === '') return err(noState(store.name, whose));
    const isOurs = isBound(header, identity);
    const before = isOurs ? '' : ` It was the state of ${identityText(header)}.`;
    const other = diverged ? ` ${diverged.summary}: what only the other copy has is not known here.` : '';
    const what =
      `${store.name} knows ${known} nodes, and they are taken for what exists at ${whose}.${before}` +
      `${isUnsaid ? usedBy(runs) : ''}${other} What does not exist there fails, and what exists there but is not known ` +
      'here is made again.';
    const question = { what, question: 'Use it?' };
    // A worker, or another folder, may know more of a log in a database than this machine: it finds the decision in the log.
    const isForOthers = !store.inFile && options.consent.isGiven(question);
    const used = { from: store.name, known, whose };
    if (isOurs && !diverged && !isUnsaid && !isForOthers) return ok({ value: { ...used, isChanged: false } });
    return ok({
      value: { ...used, isChanged: true },
      events: [reboundEvent(identity, at)],
      // A state without nodes is right for any campaign.
      question: known > 0 ? question : undefined,
    });
  });
}

/** Takes one that another file has, or that it says a database has. */
function takeState(
  runtime: Runtime,
  campaign: Campaign,
  { file, consent, ...locking }: Consenting & { readonly file: string },
): Promise<Result<Used, Refusal>> {
  const identity = identityOf(campaign.manifest);
  const whose = identityText(identity);
  const open = async () => {
    const opened = await campaign.store.adopt(file, writingOf(runtime, campaign, { command, ...locking }));
    return opened.ok ? opened : err(stateRefusal(opened.error, campaign));
  };
  return changeOpened(runtime, { consent, open }, ({ header, known, from, to, succeeds, runs }, at) => {
    const isOurs = isBound(header, identity);
    const owner = ownersOf(from, header, runs.at(-1)?.manifest).find(
      (one) => !(isOurs && path.resolve(one) === path.resolve(campaign.manifest.file)),
    );
    if (owner !== undefined) return err(inUse(from, header, owner));
    const before = succeeds
      ? ` Another state was ${to} before: what only that one knows would be made again.`
      : '';
    const what =
      `${from} knows ${known} nodes and is the state of ${identityText(header)}.${usedBy(runs)} It becomes ${to}, the state ` +
      `of ${whose}, and its nodes are taken for what exists there.${before}`;
    const value = { from, known, whose, isChanged: true };
    return ok({ value, events: [reboundEvent(identity, at)], question: { what, question: 'Use it?' } });
  });
}

function usedBy(runs: OpenState['runs']): string {
  const last = runs.at(-1);
  return last ? ` It was last used with the manifest ${last.manifest}.` : '';
}

function noState(name: string, whose: string): Refusal {
  const detail = `${name} has no state of ${whose}: the first apply begins one. Nothing was changed.`;
  return refusal(EXIT.usage, { code: 'no-state', summary: 'There is no such state', detail });
}

function inUse(from: string, header: StateHeader, owner: string): Refusal {
  const detail =
    `${from} is the state of ${identityText(header)}, and ${owner} is its manifest. Without it, that one would make ` +
    'everything a second time. Nothing was changed. Remove that manifest, or give it another name, first.';
  return refusal(EXIT.usage, { code: 'state-in-use', summary: 'Another campaign has this state', detail });
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
