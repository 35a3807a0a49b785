import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { makePlan } from '../plan/make-plan.ts';
import { planJson } from '../render/plan-json.ts';
import { sendsChanges } from '../render/plan-summary.ts';
import { planText } from '../render/plan-text.ts';
import { hostOf } from './connect-service.ts';
import { findManifests } from './find-manifests.ts';
import { type Campaign, loadCampaign } from './load-campaign.ts';
import type { SharedOptions } from './options.ts';
import { createOutput, type Output } from './output.ts';
import { readState } from './read-state.ts';

/** `campaign plan`: what apply would do; sends no request and takes no lock. */
export async function plan(
  paths: readonly string[],
  options: SharedOptions & { detailedExitcode?: true },
): Promise<ExitCode> {
  const output = createOutput(options);
  const files = await findManifests(paths);
  if (!files.ok) {
    output.diagnostics(files.error.diagnostics);
    return files.error.exit;
  }
  const codes: ExitCode[] = [];
  let changes = false;
  for (const file of files.value) {
    const planned = await planOne(file, options, output);
    if (typeof planned === 'number') codes.push(planned);
    else changes ||= sendsChanges(planned);
  }
  const code = strongestExit(codes);
  return code === EXIT.ok && changes && options.detailedExitcode ? EXIT.changes : code;
}

async function planOne(file: string, options: SharedOptions, output: Output): Promise<Plan | ExitCode> {
  const loaded = await loadCampaign(file, options, { need: 'environment', output });
  if (!loaded.ok) {
    output.diagnostics(loaded.error.diagnostics);
    return loaded.error.exit;
  }
  const campaign = loaded.value;
  const { manifest, stateFile } = campaign;
  const opened = await readState(campaign);
  if (!opened.ok) {
    output.diagnostics(opened.error.diagnostics);
    return opened.error.exit;
  }
  output.diagnostics(campaign.warnings);
  const { state, known } = opened.value;
  const made = planCampaign(campaign, state, 'make');
  if (output.mode === 'json') output.json(planJson(made, manifest.locate));
  else if (!output.isQuiet) {
    output.result(
      `${headline({ manifest, stateFile, known })}\n\n${planText(made, manifest.locate, output.style)}`,
    );
  }
  return made;
}

/** The plan of a campaign over a state. */
export function planCampaign(
  { manifest, graph }: Campaign,
  state: RunState,
  replacements: 'make' | 'hold',
): Plan {
  const { onUnknown } = manifest.environment.gaps;
  const retryUnknown = (['product', 'concept'] as const).filter((kind) => onUnknown?.[kind] === 'retry');
  return makePlan({ graph, state, outputs: manifest.outputs, retryUnknown, replacements });
}

/** The first line of plan and apply: it stops "wrong environment" and "empty state" by sight. */
export function headline(facts: Pick<Campaign, 'manifest' | 'stateFile'> & { known: number }): string {
  const { manifest, stateFile, known } = facts;
  const { environment, name } = manifest;
  const nodes = `${known} known ${known === 1 ? 'node' : 'nodes'}`;
  return [name, environment.name, hostOf(environment), stateFile, nodes].join(' · ');
}
