import type { Manifest } from '../manifest/manifest.ts';
import { type FatalProblem, refusal, type Refusal } from '../model/problem.ts';
import type { OpenState } from '../store/store.ts';
import { err, ok, type Result } from '../util/result.ts';
import { emulatorDataGone } from './emulator-data.ts';
import { leaveOutResults } from './leave-out-results.ts';
import type { Campaign } from './campaign.ts';
import type { Runtime } from './runtime.ts';

/** Reads the state of a campaign without a lock; a state that does not exist yet is empty. */
export async function readState(campaign: Campaign): Promise<Result<OpenState, Refusal>> {
  const opened = await campaign.store.read();
  return opened.ok ? opened : err(stateRefusal(opened.error, campaign));
}

/** As `readState`, with a warning about everything that would stop an apply. */
export async function lookAtState(
  { emit }: Pick<Runtime, 'emit'>,
  campaign: Campaign,
): Promise<Result<OpenState, Refusal>> {
  const opened = await readState(campaign);
  if (!opened.ok) return opened;
  const { state, warnings } = opened.value;
  for (const warning of warnings) emit({ type: 'warning', summary: adviceFor(campaign.target, warning) });
  const gone = await emulatorDataGone(campaign, state);
  for (const { summary, detail = '' } of gone?.problems ?? []) emit({ type: 'warning', summary, detail });
  return opened;
}

/** A campaign with its state, for planning: results that the state knows are no photos. */
export async function lookAtCampaign(
  runtime: Pick<Runtime, 'emit'>,
  loaded: Campaign,
): Promise<Result<{ campaign: Campaign; open: OpenState }, Refusal>> {
  const opened = await lookAtState(runtime, loaded);
  if (!opened.ok) return opened;
  const open = opened.value;
  const campaign = await leaveOutResults(loaded, open.state);
  if (!campaign.ok) return campaign;
  // The holder of the lock may be the run that has no end.
  const [unended] = unendedWarnings(open);
  if (unended !== undefined && (await loaded.store.holder()) === undefined)
    runtime.emit({ type: 'warning', summary: unended });
  return ok({ campaign: campaign.value, open });
}

export function unendedWarnings({ unended }: Pick<OpenState, 'unended'>): string[] {
  if (!unended) return [];
  const { command, startedAt } = unended;
  const run = `\`campaign ${command}\` of ${startedAt}`;
  return [`The last run (${run}) has no recorded end: it was killed, or this copy was taken while it ran.`];
}

export function identityOf({ name, environment }: Manifest) {
  const baseUrl = environment.baseUrl.replace(/\/+$/, '');
  return { campaign: name, environment: environment.name, baseUrl };
}

export function stateRefusal(
  { code, exit, summary, detail }: FatalProblem,
  { target }: Pick<Campaign, 'target'>,
): Refusal {
  return refusal(exit, { code, summary, detail: adviceFor(target, detail) });
}

/** Adds what names the campaign to the commands in a text, because without it they would mean another state. */
function adviceFor(target: string, text: string): string {
  if (target === '') return text;
  return text.replace(
    /`campaign state (?:new|rebind|check --reseal)(?=`)/g,
    (command) => `${command} ${target}`,
  );
}
