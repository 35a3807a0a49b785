import type { Manifest } from '../manifest/manifest.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import { retriedKinds } from '../model/kinds.ts';
import { firstDayOf } from '../model/period.ts';
import type { Plan } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { draftPlan, type Missing, type PlanDraft } from '../plan/draft-plan.ts';
import type { Purse } from '../plan/plan-cost.ts';
import { goneProducts } from '../plan/prune.ts';
import { finishPlan } from '../plan/make-plan.ts';
import { inertText } from '../util/inert-text.ts';
import { hasWildcard, matchesGlob } from '../util/match-glob.ts';
import { unmatchedGlobs } from '../plan/select.ts';
import { plannedAddress } from '../views/plan-summary.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { PlanWishes } from './plan-wishes.ts';

interface PlanningOptions {
  /** When the plan is made, in epoch milliseconds. */
  readonly now: number;
  readonly wishes: PlanWishes;
  /** `trust`: most product folders may be gone, because somebody has said so. */
  readonly folders: 'check' | 'trust';
  /** Absent without a budget. */
  readonly purse?: Purse | undefined;
  /** Of `missingOf`. */
  readonly missing?: Missing | undefined;
}

/** The plan of a campaign over a state; changed finished posts are requested again. */
export function planCampaign(
  campaign: Campaign,
  state: RunState,
  options: PlanningOptions,
): Result<Plan, Refusal> {
  const draft = draftCampaign(campaign, state, options);
  return draft.ok ? ok(finishPlan(draft.value, 'make')) : draft;
}

/** A plan before it is decided what happens to finished posts; refused when a wish names a post that does not exist. */
export function draftCampaign(
  campaign: Campaign,
  state: RunState,
  options: PlanningOptions,
): Result<PlanDraft, Refusal> {
  const { wishes, folders } = options;
  const draft = draftOf(campaign, state, options);
  const [unmatched] = wishes.among ? [] : globsWithoutMatch(campaign, draft, wishes);
  if (unmatched !== undefined) return err(noMatch(unmatched));
  const gone = folders === 'check' ? foldersGone(campaign.manifest, { state, draft }) : undefined;
  if (gone) return err(gone);
  const [missing] = wishes.among ? [] : notRequested(draft, wishes);
  return missing === undefined ? ok(draft) : err(nothingToReplace(missing, state));
}

/** Globs and addresses among the wishes that name nothing of this campaign. */
export function wishesForOthers(
  campaign: Campaign,
  state: RunState,
  { wishes, now }: Pick<PlanningOptions, 'wishes' | 'now'>,
): string[] {
  const draft = draftOf(campaign, state, { wishes, now });
  return [...globsWithoutMatch(campaign, draft, wishes), ...notRequested(draft, wishes)];
}

function draftOf(
  { manifest, graph, isOwn, decisions: { verdicts } }: Campaign,
  state: RunState,
  { now, wishes, purse, missing }: Pick<PlanningOptions, 'wishes' | 'now' | 'purse' | 'missing'>,
): PlanDraft {
  const { only, exclude, replace, retryFailed, prune, maxDeletes } = wishes;
  return draftPlan({
    graph,
    state,
    outputs: manifest.outputs,
    isOwn,
    now,
    purse,
    isFree: manifest.environment.baseUrl === EMULATOR,
    retryUnknown: retriedKinds(manifest.environment.gaps.onUnknown),
    selection: { only, exclude },
    replace,
    retryFailed,
    missing,
    verdicts,
    prune: prune && { maxDeletes },
  });
}

function globsWithoutMatch(
  { graph }: Campaign,
  { matched }: PlanDraft,
  { only, exclude, retryFailed }: PlanWishes,
): string[] {
  const failedOnes = retryFailed === undefined || retryFailed === '*' ? [] : [retryFailed];
  return unmatchedGlobs(graph, matched, [...only, ...exclude, ...failedOnes]);
}

/** Addresses and globs about which no request is planned. */
function notRequested(draft: PlanDraft, { replace }: PlanWishes): readonly string[] {
  if (!replace.length) return replace;
  const { nodes } = finishPlan({ ...draft, purse: undefined }, 'make');
  const requested = new Set(nodes.flatMap((node) => [plannedAddress(node)]));
  const isRequested = (wish: string) =>
    hasWildcard(wish) ? [...requested].some((address) => matchesGlob(wish, address)) : requested.has(wish);
  return replace.filter((address) => !isRequested(address));
}

function nothingToReplace(missing: string, { media }: RunState): Refusal {
  if (hasWildcard(missing)) {
    const detail = `--replace ${missing}: it matches no finished post that could be requested again. Posts that are approved, or kept by \`regenerate: never\`, are requested again by their own address only.`;
    return refusal(EXIT.usage, { code: 'unknown-address', summary: 'No such post', detail });
  }
  const period = media.get(missing)?.period;
  const advice =
    period === undefined
      ? '`campaign status` and `campaign plan` name the addresses.'
      : `It belongs to ${period}, which is not planned any more; with \`--at ${firstDayOf(period)}\` it is.`;
  const detail = `--replace ${missing}: the manifest has no post of that address that could be requested again. ${advice}`;
  return refusal(EXIT.usage, { code: 'unknown-address', summary: 'No such post', detail });
}

/** An unmounted disk must not look like a decision: most of the known products gone at once is an error. */
function foldersGone(
  { productSources }: Manifest,
  { state, draft }: { state: RunState; draft: PlanDraft },
): Refusal | undefined {
  if (!productSources.length) return undefined;
  const { gone, known, areMost } = goneProducts(state, draft.noted.leftAlone);
  if (!areMost) return undefined;
  const some = `${gone.slice(0, 3).join(', ')}${gone.length > 3 ? ', …' : ''}`;
  const detail =
    `${gone.length} of ${known} known products are not there any more (${some}), and products come from ` +
    `${productSources.join(', ')}. Is a disk missing, or a table cut? If you mean it, say --yes.`;
  const summary = 'Most products are gone';
  return refusal(EXIT.invalidManifest, { code: 'folders-gone', summary, detail });
}

/** Of a glob in a message; a shell may have put a whole file in its place. */
const LONGEST_SHOWN = 200;

export function noMatch(glob: string): Refusal {
  const detail =
    `${inertText(glob, LONGEST_SHOWN)} matches no address of the manifest or the state. Globs match whole addresses, such as product/tote or ` +
    'media/hero/*; `campaign plan` and `campaign state list` show them.';
  return refusal(EXIT.usage, { code: 'no-match', summary: 'Nothing has that address', detail });
}
