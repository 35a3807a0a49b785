/**
 * Which plan an apply carries out, and who agreed to what it pays for: a saved plan was reviewed, `--yes` agrees
 * beforehand, somebody at a terminal answers one question. Without all of these first requests are sent, and finished
 * posts are left as they are.
 *
 * The question is asked without the lock: a run of another machine or of cron must not wait for a person. What was
 * agreed to is the plan that was shown. Under the lock it is made anew, and where it is another one, it is asked anew.
 */
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { acceptInputs } from '../plan/accept.ts';
import { planText } from '../render/plan-text.ts';
import type { WritableState } from '../store/store.ts';
import { inertText } from '../util/inert-text.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type Answer, applyQuestion } from '../cli/apply-question.ts';
import { outputsRefused } from './check-outputs.ts';
import { choose, unanswered } from '../cli/choose.ts';
import { emulatorDataGone } from './emulator-data.ts';
import { leaveOutResults } from './leave-out-results.ts';
import type { Campaign } from './load-campaign.ts';
import type { ApplyOptions } from '../cli/options.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { Output } from '../cli/output.ts';
import { headline } from '../commands/plan.ts';
import { planCampaign, wishesOf } from './plan-campaign.ts';
import { readState, stateRefusal } from './read-state.ts';
import { hashPlan, loadSavedPlan } from './saved-plan.ts';
import { unendedWarnings } from './unended-run.ts';
import { ownTerminal, type Terminal } from '../cli/terminal.ts';

interface Deciding {
  readonly campaign: Campaign;
  readonly options: ApplyOptions;
  readonly output: Output;
}

/** What somebody said to the plan of this hash. */
export interface Agreement {
  readonly answer: Exclude<Answer, 'nothing'>;
  readonly hash: string;
  /** Warnings that were shown with it. */
  readonly told: readonly string[];
}

/** The plan of an apply, and whether somebody at the terminal has it before their eyes. */
interface DecidedPlan {
  readonly plan: Plan;
  readonly isShown: boolean;
}

/** Asks where something would be paid and somebody is there; undefined where nothing has to be asked, or can be yet. */
export async function askBeforehand(given: Deciding): Promise<Result<Agreement | undefined, Refusal>> {
  const { options, output } = given;
  const terminal = terminalFor(options, output);
  if (!terminal) return ok(undefined);
  // Opening the state says who holds it, or waits for that.
  if (await given.campaign.store.holder()) return ok(undefined);
  const read = await readState(given.campaign);
  if (!read.ok) return read;
  const { state, known, diverged } = read.value;
  const warnings = [...read.value.warnings, ...unendedWarnings(read.value)];
  if (diverged) return err(stateRefusal(diverged, given.campaign));
  const photos = await leaveOutResults(given.campaign, state);
  if (!photos.ok) return photos;
  const campaign = photos.value;
  const gone = await emulatorDataGone(campaign, state);
  if (gone) return err(gone);
  const proposed = propose(state, { ...given, campaign });
  if (!proposed.ok) return proposed;
  const { left, whole } = proposed.value;
  const question = questionOf(proposed.value, campaign);
  if (!question) return ok(undefined);
  const placeless = await outputsRefused(campaign.manifest, whole);
  if (placeless) return err(placeless);
  for (const warning of warnings) output.progress(`  ! ${inertText(warning)}\n`);
  const { manifest, store, target } = campaign;
  const where = { locate: manifest.locate, target };
  output.progress(`${headline({ manifest, store, known })}\n\n`);
  output.progress(`${planText(whole, where, output.errorStyle)}\n${question.what}\n`);
  const chosen = await choose(question, terminal);
  const nothing = 'nothing was sent';
  if (chosen.type !== 'chosen') return err(unanswered(chosen, { nothing, terminal }));
  if (chosen.value === 'nothing') {
    output.progress('Nothing was sent.\n');
    return err({ exit: EXIT.refused, problems: [] });
  }
  return ok({ answer: chosen.value, hash: hashOf({ left, whole }), told: warnings });
}

/** The plan under the lock; `outdated`: something has to be asked about it that was not asked yet. */
export async function decidePlan(
  deciding: Deciding & { readonly open: WritableState },
  agreement: Agreement | undefined,
): Promise<Result<DecidedPlan | 'outdated', Refusal>> {
  const { campaign, options, output, open } = deciding;
  if (options.plan !== undefined) {
    const chosen = FIXED_BY_PLAN.find((name) => options[name] !== undefined);
    if (chosen !== undefined) return err(fixedByPlan(chosen));
    return unseen(await loadSavedPlan(options.plan, { campaign, open }));
  }
  const proposed = propose(open.state, deciding);
  if (!proposed.ok) return proposed;
  const { left, whole } = proposed.value;
  if (options.yes) return unseen(ok(whole));
  const isAsked = terminalFor(options, output) && questionOf(proposed.value, campaign);
  if (!agreement) return isAsked ? ok('outdated') : unseen(ok(left));
  if (agreement.hash !== hashOf(proposed.value)) return ok('outdated');
  switch (agreement.answer) {
    case 'all':
      return ok({ plan: whole, isShown: process.stdout.isTTY });
    case 'leave':
      return unseen(ok(left));
    case 'keep': {
      await accept(left, deciding);
      const kept = propose(open.state, deciding);
      return kept.ok ? unseen(ok(kept.value.left)) : kept;
    }
  }
}

/** Who is asked: nobody where the plan was agreed to beforehand, or where a program reads what comes out. */
function terminalFor({ plan, yes }: ApplyOptions, { mode, isQuiet }: Output): Terminal | undefined {
  return plan !== undefined || yes || mode === 'json' || isQuiet ? undefined : ownTerminal();
}

/** A plan without and with the finished posts whose inputs changed: the same one where there are none. */
interface Proposal {
  readonly left: Plan;
  readonly whole: Plan;
}

function propose(state: RunState, { campaign, options }: Deciding): Result<Proposal, Refusal> {
  const wishes = wishesOf(options);
  const folders = options.yes ? 'trust' : 'check';
  const now = Date.now();
  const left = planCampaign(campaign, state, { wishes, folders, now, replacements: 'hold' });
  if (!left.ok) return left;
  if (!left.value.held.length) return ok({ left: left.value, whole: left.value });
  const whole = planCampaign(campaign, state, { wishes, folders, now, replacements: 'make' });
  return whole.ok ? ok({ left: left.value, whole: whole.value }) : whole;
}

/** At the emulator first requests cost nothing. */
function questionOf({ left, whole }: Proposal, { manifest }: Campaign) {
  const isFree = manifest.environment.baseUrl === EMULATOR;
  const finished = left.held.length;
  if (!finished && (isFree || !left.newPosts)) return undefined;
  return applyQuestion({ first: left.newPosts, finished, all: whole.newPosts });
}

function hashOf({ left, whole }: Proposal): string {
  return left === whole ? hashPlan(whole) : `${hashPlan(left)} ${hashPlan(whole)}`;
}

function unseen(planned: Result<Plan, Refusal>): Result<DecidedPlan, Refusal> {
  return planned.ok ? ok({ plan: planned.value, isShown: false }) : planned;
}

/** Moves come first: what is accepted goes by its new name. */
async function accept(
  { held, moves }: Plan,
  { campaign, open }: Deciding & { readonly open: WritableState },
): Promise<void> {
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
