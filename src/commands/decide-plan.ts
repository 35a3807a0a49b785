import type { Plan } from '../model/plan.ts';
import { EXIT } from '../model/exit.ts';
import { acceptInputs } from '../plan/accept.ts';
import { planText } from '../render/plan-text.ts';
import type { WritableState } from '../state/open-state.ts';
import { err, ok, type Result } from '../util/result.ts';
import { askReplacements, canAsk } from './ask-replacements.ts';
import type { Campaign } from './load-campaign.ts';
import type { ApplyOptions } from './options.ts';
import { type Output, type Refusal, refusal } from './output.ts';
import { headline } from './plan.ts';
import { planCampaign, wishesOf } from './plan-campaign.ts';
import { loadSavedPlan } from './saved-plan.ts';

interface Deciding {
  readonly campaign: Campaign;
  readonly open: WritableState;
  readonly options: ApplyOptions;
  readonly output: Output;
}

/** The plan of an apply, and whether somebody at the terminal has it before their eyes. */
interface DecidedPlan {
  readonly plan: Plan;
  readonly isShown: boolean;
}

/**
 * The plan that an apply carries out. A saved plan was reviewed, and `--yes` agrees beforehand; otherwise finished posts
 * are requested again only if somebody at a terminal says so.
 */
export async function decidePlan(deciding: Deciding): Promise<Result<DecidedPlan, Refusal>> {
  const { campaign, open, options, output } = deciding;
  if (options.plan !== undefined) {
    const chosen = FIXED_BY_PLAN.find((name) => options[name] !== undefined);
    if (chosen !== undefined) return err(fixedByPlan(chosen));
    return unseen(await loadSavedPlan(options.plan, { campaign, open }));
  }
  const wishes = wishesOf(options);
  const folders = options.yes ? 'trust' : 'check';
  const planned = planCampaign(campaign, open.state, {
    wishes,
    folders,
    replacements: options.yes ? 'make' : 'hold',
  });
  if (!planned.ok || !planned.value.held.length) return unseen(planned);
  if (output.mode === 'json' || output.isQuiet || !canAsk()) return unseen(planned);
  const whole = planCampaign(campaign, open.state, { wishes, folders, replacements: 'make' });
  if (!whole.ok) return whole;
  const { manifest, stateFile, target } = campaign;
  output.progress(`${headline({ manifest, stateFile, known: open.known })}\n\n`);
  const where = { locate: manifest.locate, target };
  output.progress(`${planText(whole.value, where, output.errorStyle)}\n`);
  switch (await askReplacements(planned.value.held)) {
    case 'apply':
      return ok({ plan: whole.value, isShown: process.stdout.isTTY });
    case 'leave':
      return unseen(planned);
    case 'keep':
      await accept(planned.value, deciding);
      return unseen(planCampaign(campaign, open.state, { wishes, folders, replacements: 'hold' }));
    case 'stop':
      output.progress('\nStopped: nothing was sent.\n');
      return err({ exit: EXIT.sigint, diagnostics: [] });
  }
}

function unseen(planned: Result<Plan, Refusal>): Result<DecidedPlan, Refusal> {
  return planned.ok ? ok({ plan: planned.value, isShown: false }) : planned;
}

/** Moves come first: what is accepted goes by its new name. */
async function accept({ held, moves }: Plan, { campaign, open }: Deciding): Promise<void> {
  const at = new Date().toISOString();
  const addresses = new Set(held.map(({ address }) => address));
  const accepts = (address: string) => addresses.has(address);
  const events = acceptInputs(campaign.graph, open.state, { accepts, at });
  await open.recorder.append([
    ...moves.map(({ from, to }) => ({ type: 'moved' as const, at, from, to })),
    ...events,
  ]);
}

const FIXED_BY_PLAN = ['only', 'exclude', 'replace', 'retryFailed'] as const;

function fixedByPlan(name: (typeof FIXED_BY_PLAN)[number]): Refusal {
  const flag = name === 'retryFailed' ? 'retry-failed' : name;
  const detail = `--${flag} decides what a plan holds, and --plan has one already: give it to \`campaign plan --out\`.`;
  return refusal(EXIT.usage, { code: 'fixed-by-plan', summary: 'The saved plan stands', detail });
}
