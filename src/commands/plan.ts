import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import { explainText, nearestAddress } from '../render/explain-text.ts';
import { explainJson, planJson } from '../render/plan-json.ts';
import { planMarkdown } from '../render/plan-markdown.ts';
import { sendsChanges } from '../views/plan-summary.ts';
import { planText, quietPlanText } from '../render/plan-text.ts';
import { inertText } from '../util/inert-text.ts';
import { hostOf } from '../app/connect-service.ts';
import { findManifests } from '../app/find-manifests.ts';
import { leaveOutResults } from '../app/leave-out-results.ts';
import { type Campaign, loadCampaign, namesOf } from '../app/load-campaign.ts';
import type { PlanOptions } from '../cli/options.ts';
import { refusal } from '../model/problem.ts';
import { createOutput, type Output, oneManifest, singleFlag, refuse } from '../cli/output.ts';
import { planCampaign, wishesOf } from '../app/plan-campaign.ts';
import { readState } from '../app/read-state.ts';
import { checkPlanFile, savePlan } from '../app/saved-plan.ts';
import { tellUnendedRun } from '../app/unended-run.ts';
import type { OpenState } from '../store/store.ts';

export interface PlanCommandOptions extends PlanOptions {
  readonly detailedExitcode?: true;
  /** File for the plan, for `apply --plan`. */
  readonly out?: string;
  readonly explain?: string;
  readonly format?: 'text' | 'json' | 'markdown';
}

/** `campaign plan`: what apply would do; sends no request and takes no lock. */
export async function plan(paths: readonly string[], options: PlanCommandOptions): Promise<ExitCode> {
  const output = createOutput(options.format === 'json' ? { ...options, json: true } : options);
  const files = await findManifests(paths);
  if (!files.ok) return refuse(files.error, output);
  const flag = singleFlag(options, files.value);
  if (flag !== undefined) {
    output.problems(oneManifest(flag).problems);
    return EXIT.usage;
  }
  const unwritable = options.out === undefined ? undefined : checkPlanFile(options.out);
  if (unwritable) return refuse(unwritable, output);
  const codes: ExitCode[] = [];
  let changes = false;
  for (const file of files.value) {
    const planned = await planOne(file, options, output.about({ manifest: file }));
    if (typeof planned === 'number') codes.push(planned);
    else changes ||= sendsChanges(planned);
  }
  const code = strongestExit(codes);
  return code === EXIT.ok && changes && options.detailedExitcode ? EXIT.changes : code;
}

async function planOne(file: string, options: PlanCommandOptions, base: Output): Promise<Plan | ExitCode> {
  const loaded = await loadCampaign(file, options, { need: 'environment', output: base });
  if (!loaded.ok) return refuse(loaded.error, base);
  const output = base.about(namesOf(loaded.value));
  const opened = await readState(loaded.value, output);
  if (!opened.ok) return refuse(opened.error, output);
  const photos = await leaveOutResults(loaded.value, opened.value.state);
  if (!photos.ok) return refuse(photos.error, output);
  const campaign = photos.value;
  await tellUnendedRun(opened.value, { store: campaign.store, output });
  output.problems(campaign.warnings);
  const wishes = wishesOf(options);
  const now = Date.now();
  const planned = planCampaign(campaign, opened.value.state, {
    wishes,
    folders: options.yes ? 'trust' : 'check',
    replacements: 'make',
    now,
  });
  if (!planned.ok) return refuse(planned.error, output);
  const made = planned.value;
  if (options.out !== undefined) {
    const unwritten = await savePlan(options.out, { campaign, open: opened.value, wishes, plan: made, now });
    if (unwritten) return refuse(unwritten, output);
  }
  if (options.explain !== undefined)
    return explain(options.explain, { campaign, open: opened.value, plan: made, output });
  show(made, { campaign, known: opened.value.known, options, output });
  return made;
}

interface Shown {
  readonly campaign: Campaign;
  readonly known: number;
  readonly options: PlanCommandOptions;
  readonly output: Output;
}

function show(plan: Plan, { campaign, known, options, output }: Shown): void {
  const { manifest, store, target } = campaign;
  const where = { locate: manifest.locate, target };
  if (output.mode === 'json') output.json(planJson(plan, manifest.locate));
  else if (options.format === 'markdown') {
    const names = { name: manifest.name, environment: manifest.environment.name };
    output.result(planMarkdown(plan, names, manifest.locate));
  } else if (output.isQuiet) output.result(quietPlanText(plan, where, output.style));
  else {
    output.result(`${headline({ manifest, store, known })}\n\n${planText(plan, where, output.style)}`);
  }
}

/** `--explain ADDR`: why this one node is, or is not, in the plan. */
function explain(
  address: string,
  { campaign, open, plan, output }: { campaign: Campaign; open: OpenState; plan: Plan; output: Output },
): Plan | ExitCode {
  const { graph, manifest } = campaign;
  const explained = { graph, state: open.state, plan };
  const text = explainText(address, explained, { locate: manifest.locate, style: output.style });
  if (text !== undefined) {
    if (output.mode === 'json') output.json(explainJson(address, explained, manifest.locate));
    else output.result(text);
    return plan;
  }
  const near = nearestAddress(address, explained);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  const detail = `${address} is neither in the manifest nor in the state.${hint}`;
  return refuse(refusal(EXIT.usage, { code: 'unknown-address', summary: 'No such node', detail }), output);
}

/** The first line of plan and apply: it stops "wrong environment" and "empty state" by sight. */
export function headline(facts: Pick<Campaign, 'manifest' | 'store'> & { known: number }): string {
  const { manifest, store, known } = facts;
  const { environment, name } = manifest;
  const nodes = `${known} known ${known === 1 ? 'node' : 'nodes'}`;
  return inertText([name, environment.name, hostOf(environment), store.name, nodes].join(' · '));
}
