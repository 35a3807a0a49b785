import type { Campaign } from '../app/campaign.ts';
import { planCampaign, wishesOf } from '../app/plan-campaign.ts';
import { lookAtCampaign } from '../app/read-state.ts';
import { checkPlanFile, savePlan } from '../app/saved-plan.ts';
import type { PlanOptions } from '../cli/options.ts';
import { namesOf, tell } from '../cli/output.ts';
import { type CommandEnd, eachManifest, loadFor, manifestsOf, type Session } from '../cli/session.ts';
import { showNode, showPlan } from '../cli/show-plan.ts';
import { EXIT } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import type { Refusal } from '../model/problem.ts';
import { ok, err, type Result } from '../util/result.ts';
import { sendsChanges } from '../views/plan-summary.ts';

interface PlanCommandOptions extends PlanOptions {
  readonly detailedExitcode?: true;
  readonly out?: string;
  readonly explain?: string;
  readonly format?: 'text' | 'json' | 'markdown';
}

export async function plan(session: Session<PlanCommandOptions>): CommandEnd {
  const { options } = session;
  const files = await manifestsOf(session);
  if (!files.ok) return files.error;
  const unwritable = options.out === undefined ? undefined : checkPlanFile(options.out);
  if (unwritable) return unwritable;
  let changes = false;
  const code = await eachManifest(files.value, session, async (file, named) => {
    const loaded = await loadFor(named, file);
    if (!loaded.ok) return loaded.error;
    const about = named.about(namesOf(loaded.value.manifest));
    const planned = await planOne(loaded.value, about);
    if (!planned.ok) return tell(planned.error, about.output);
    changes ||= sendsChanges(planned.value);
    return EXIT.ok;
  });
  return code === EXIT.ok && changes && options.detailedExitcode ? EXIT.changes : code;
}

async function planOne(
  loaded: Campaign,
  { options, output, runtime }: Session<PlanCommandOptions>,
): Promise<Result<Plan, Refusal>> {
  const looked = await lookAtCampaign(runtime, loaded);
  if (!looked.ok) return looked;
  const { campaign, open } = looked.value;
  output.problems(campaign.warnings);
  const wishes = wishesOf(options);
  const now = runtime.clock.now();
  const folders = options.yes ? 'trust' : 'check';
  const planned = planCampaign(campaign, open.state, { wishes, folders, now });
  if (!planned.ok) return planned;
  const made = { campaign, open, wishes, plan: planned.value, now };
  const unwritten = options.out === undefined ? undefined : await savePlan(options.out, made);
  if (unwritten) return err(unwritten);
  if (options.explain === undefined) showPlan(made, output, options.format);
  const unknown = options.explain === undefined ? undefined : showNode(options.explain, made, output);
  return unknown ? err(unknown) : ok(planned.value);
}
