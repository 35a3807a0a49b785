import { type Accounts, spendingAfter } from '../app/account.ts';
import type { Campaign } from '../app/campaign.ts';
import { type Claims, createClaims } from '../app/claimed-places.ts';
import { type Asked, type Memory, openMemory } from '../app/no-changes.ts';
import type { PlanWishes } from '../app/plan-wishes.ts';
import { eachManifest, type TurnEnd } from '../cli/each-manifest.ts';
import { isOnGithub } from '../cli/github.ts';
import type { PlanOptions } from '../cli/options.ts';
import { namesOf, tell } from '../cli/output.ts';
import { accountsOf, type CommandEnd, load, manifestsOf, type Session, sourceFor } from '../cli/session.ts';
import { wishesFor } from '../cli/several-wishes.ts';
import { showNode, showPlan } from '../cli/show-plan.ts';
import { monthOf } from '../model/budget.ts';
import { EXIT } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import type { Refusal } from '../model/problem.ts';
import { err, type Result } from '../util/result.ts';
import { requestedText } from '../views/budget-words.ts';
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
  if (options.out !== undefined) {
    const { checkPlanFile } = await import('../app/saved-plan.ts');
    const unwritable = checkPlanFile(options.out);
    if (unwritable) return unwritable;
  }
  const wishes = await wishesFor(session, files.value);
  if (!wishes.ok) return wishes.error;
  const plans: Plan[] = [];
  const accounts = accountsOf(session, files.value);
  const claims = createClaims(session.runtime.disk);
  const comment = await commentFor(session);
  // A comment has nothing between its plans, and nothing after them.
  const isMarkdown = options.format === 'markdown';
  const around = isMarkdown
    ? { ...session, output: { ...session.output, result: () => undefined } }
    : session;
  const { exit_code, manifests } = await eachManifest(files.value, around, {
    take: async (file, named) => {
      const planning = { accounts, claims, comment, wishes: wishes.value };
      const { end, plan: made } = await takeTurn(file, named, planning);
      if (made) plans.push(made);
      return end;
    },
    total: () => `${requestedText(plans)}.`,
  });
  comment?.show(manifests);
  const isChange = exit_code === EXIT.ok && plans.some(sendsChanges);
  return isChange && options.detailedExitcode ? EXIT.changes : exit_code;
}

/** Its code is loaded where it is wanted. */
async function commentFor(session: Session<PlanCommandOptions>): Promise<PlanComment> {
  const { format, explain } = session.options;
  if (explain !== undefined || (format !== 'markdown' && !isOnGithub(session.runtime.env))) return undefined;
  const { createPlanComment } = await import('../cli/plan-comment.ts');
  return createPlanComment(session);
}

type PlanComment = ReturnType<typeof import('../cli/plan-comment.ts').createPlanComment>;

/** What belongs to the whole command. */
interface Planning {
  readonly comment: PlanComment;
  readonly accounts: Accounts;
  readonly claims: Claims;
  readonly wishes: PlanWishes;
}

async function takeTurn(
  file: string,
  session: Session<PlanCommandOptions>,
  { accounts, claims, comment, wishes }: Planning,
): Promise<{ readonly end: Refusal | TurnEnd; readonly plan?: Plan }> {
  const { options, runtime } = session;
  const source = await sourceFor(session, file);
  if (!source.ok) return { end: source.error };
  const folders = options.yes ? 'trust' : 'check';
  const asked = { command: 'plan', wishes, folders } as const;
  const memory = openMemory(runtime, source.value, asked);
  const known = options.explain === undefined && options.out === undefined ? memory.recall() : undefined;
  if (known && (await known.campaign.store.hasMark?.(known.mark))) {
    const names = namesOf(known.campaign.manifest);
    const { output } = session.about(names);
    const taken = claims.claim(file, known.campaign);
    if (taken) return { end: { ...names, exit: tell(taken, output) } };
    output.problems(known.warnings);
    showPlan(known, output, options.format);
    comment?.add(known);
    return { end: { ...names, exit: EXIT.ok }, plan: known.plan };
  }
  const loaded = await load(memory.watch(runtime), source.value);
  if (!loaded.ok) return { end: loaded.error };
  const names = namesOf(loaded.value.manifest);
  const about = session.about(names);
  const taken = claims.claim(file, loaded.value);
  const planned = taken
    ? err(taken)
    : await planOne(loaded.value, about, { asked, memory, accounts, comment });
  if (!planned.ok) return { end: { ...names, exit: tell(planned.error, about.output) } };
  return { end: { ...names, exit: EXIT.ok }, plan: planned.value };
}

async function planOne(
  loaded: Campaign,
  { options, output, runtime }: Session<PlanCommandOptions>,
  {
    asked: { wishes, folders },
    memory,
    accounts,
    comment,
  }: Pick<Planning, 'accounts' | 'comment'> & { readonly asked: Asked; readonly memory: Memory },
): Promise<Result<Plan, Refusal>> {
  const { lookAtCampaign } = await import('../app/read-state.ts');
  const { planCampaign } = await import('../app/plan-campaign.ts');
  const looked = await lookAtCampaign(memory.watch(runtime), loaded);
  if (!looked.ok) return looked;
  const { campaign, open } = looked.value;
  const { warnings } = campaign;
  output.problems(warnings);
  const now = runtime.clock.now();
  const { excessShown } = await import('../app/saved-plan.ts');
  const month = { excess: excessShown(wishes), month: monthOf(now) };
  const purse = await accounts.walletOf(campaign, open.state, month);
  if (!purse.ok) return purse;
  const { missingOf } = await import('../app/missing.ts');
  const missing = missingOf(memory.watch(runtime), campaign, { state: open.state, wishes });
  const planned = planCampaign(campaign, open.state, { wishes, folders, now, purse: purse.value, missing });
  if (!planned.ok) return planned;
  const plan = planned.value;
  if (purse.value) accounts.spentBy(campaign, spendingAfter(open.state, purse.value, { plan, now }));
  if (options.out !== undefined) {
    const { savePlan } = await import('../app/saved-plan.ts');
    const unwritten = await savePlan(options.out, { campaign, open, wishes, plan, now });
    if (unwritten) return err(unwritten);
  }
  if (options.explain !== undefined) {
    const unknown = showNode(options.explain, { campaign, open, plan }, output);
    return unknown ? err(unknown) : planned;
  }
  const { known, mark } = open;
  showPlan({ campaign, plan, known }, output, options.format);
  comment?.add({ campaign, plan });
  if (!plan.cost || accounts.isAlone) await memory.keep({ campaign, plan, known, warnings, mark });
  return planned;
}
