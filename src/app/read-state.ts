import type { Environment, Manifest } from '../manifest/manifest.ts';
import type { OpenState } from '../store/store.ts';
import type { FatalProblem } from '../model/problem.ts';
import { err, type Result } from '../util/result.ts';
import type { Campaign } from './load-campaign.ts';
import { emulatorDataGone } from './emulator-data.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { Output } from '../cli/output.ts';

/** Reads the state of a campaign, without a lock; no state yet is an empty one. `output` gets what to know about it. */
export async function readState(campaign: Campaign, output?: Output): Promise<Result<OpenState, Refusal>> {
  const opened = await campaign.store.read();
  if (!opened.ok) return err(stateRefusal(opened.error, campaign));
  if (output) await tellAbout(opened.value, campaign, output);
  return opened;
}

/** What stops an apply is one line for whoever only reads. */
async function tellAbout({ state, warnings }: OpenState, campaign: Campaign, output: Output): Promise<void> {
  for (const warning of warnings) output.progress(`  ! ${adviceFor(campaign.target, warning)}\n`);
  const gone = await emulatorDataGone(campaign, state);
  for (const { summary, detail } of gone?.problems ?? []) output.progress(`  ! ${summary}: ${detail}\n`);
}

/** What a state belongs to. */
export function identityOf({ name, environment }: Manifest) {
  return { campaign: name, environment: environment.name, baseUrl: normalised(environment) };
}

function normalised({ baseUrl }: Environment): string {
  return baseUrl.replace(/\/+$/, '');
}

/** A problem of the state as users get it. */
export function stateRefusal(
  { code, exit, summary, detail }: FatalProblem,
  { target }: Pick<Campaign, 'target'>,
): Refusal {
  return refusal(exit, { code, summary, detail: adviceFor(target, detail) });
}

/** The commands that a text names, with the words that name the campaign: without them they would mean another state. */
function adviceFor(target: string, text: string): string {
  if (target === '') return text;
  return text.replace(
    /`campaign state (?:new|rebind|check --reseal)(?=`)/g,
    (command) => `${command} ${target}`,
  );
}
