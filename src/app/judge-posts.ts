/** Finished posts, which people judge, and what follows from a rejection (set-verdicts.ts writes the verdicts). */
import { EXIT } from '../model/exit.ts';
import { kindHas } from '../model/kinds.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { currentTake, type RunState, type TakeState } from '../model/run-state.ts';
import { memberOf } from '../model/source.ts';
import { type Verdict, verdictAbout } from '../model/verdict.ts';
import { amountOf, type Money } from '../model/money.ts';
import { findSettled } from '../match/periods.ts';
import { idKey } from '../util/id-key.ts';
import { inertText } from '../util/inert-text.ts';
import { textOf } from '../util/json.ts';
import { matchesGlob } from '../util/match-glob.ts';
import { err, ok, type Result } from '../util/result.ts';
import { amountText } from '../views/budget-words.ts';
import type { Campaign } from './campaign.ts';
import type { Priced } from './payable.ts';
import { planCampaign } from './plan-campaign.ts';
import { wishesOf } from './plan-wishes.ts';
import type { Runtime } from './runtime.ts';

/** A finished post: its current take is there, with its files. */
export interface JudgedPost {
  readonly address: string;
  readonly media: string;
  readonly take: TakeState;
  readonly verdict: Verdict | undefined;
  /** Its period, where that is settled: no run requests it again unless the period is named. */
  readonly settled?: string;
}

/** `now` is in epoch milliseconds. */
export function finishedPosts(
  { decisions, graph }: Pick<Campaign, 'decisions' | 'graph'>,
  { media }: RunState,
  now: number,
): JudgedPost[] {
  const isSettled = findSettled(graph, now);
  return [...media.values()].flatMap((medium) => {
    const take = currentTake(medium);
    if (take?.status !== 'done' || !take.files?.length || !take.result) return [];
    const { id } = take.result;
    const verdict = verdictAbout(id, decisions.verdicts);
    const { address, period } = medium;
    const isOver = period !== undefined && isSettled(medium);
    return [{ address, media: id, take, verdict, ...(isOver && { settled: period }) }];
  });
}

/** Finished posts that match, in the order of their addresses; refused where a glob matches none. */
export function postsThatMatch(
  posts: readonly JudgedPost[],
  globs: readonly string[],
): Result<readonly JudgedPost[], Refusal> {
  const unmatched = globs.find((glob) => !posts.some(({ address }) => matchesGlob(glob, address)));
  if (unmatched !== undefined) return err(noFinished(unmatched));
  const chosen = posts.filter(({ address }) => globs.some((glob) => matchesGlob(glob, address)));
  return ok(chosen.sort((a, b) => (a.address < b.address ? -1 : 1)));
}

function noFinished(glob: string): Refusal {
  const detail =
    `${inertText(glob, 200)} matches no post that is finished and downloaded, and only such posts can be judged. Globs match whole ` +
    'addresses, such as media/hero/*; `campaign outputs` lists them, and `campaign status` says what is open.';
  return refusal(EXIT.usage, { code: 'no-match', summary: 'No finished post has that address', detail });
}

export interface Chosen {
  readonly chosen: readonly JudgedPost[];
  /** Those that were decided otherwise before and are meant by a glob only: they keep their verdict. */
  readonly left: readonly JudgedPost[];
}

/** A glob says nothing about what somebody has decided otherwise; whoever means such a post names it by its address. */
export function withoutDecided(
  posts: readonly JudgedPost[],
  globs: readonly string[],
  wanted: Verdict['verdict'],
): Chosen {
  const named = new Set(globs);
  const isLeft = ({ address, verdict }: JudgedPost) =>
    verdict !== undefined && verdict.verdict !== wanted && !named.has(address);
  return { chosen: posts.filter((post) => !isLeft(post)), left: posts.filter(isLeft) };
}

/** What the next run requests again if these posts are rejected: some may be out of takes, or named no more. */
export function requestedIfRejected(
  campaign: Campaign,
  state: RunState,
  { posts, now }: { readonly posts: readonly JudgedPost[]; readonly now: number },
): Priced {
  const { decisions } = campaign;
  const verdicts = new Map([...decisions.verdicts].filter(([, { verdict }]) => verdict === 'approved'));
  for (const { media } of posts) verdicts.set(idKey(media), { verdict: 'rejected', source: REJECTED_NOW });
  const judged = { ...campaign, decisions: { ...decisions, verdicts } };
  const planned = planCampaign(judged, state, { now, wishes: wishesOf({}), folders: 'trust' });
  if (!planned.ok) return { posts: posts.length, cost: undefined };
  const { nodes, rejected } = planned.value;
  const types = [...nodes].flatMap((node) =>
    kindHas(node, 'stored', 'take') && node.reasons.some(({ source }) => source === REJECTED_NOW)
      ? textOf(node.inputs?.['post_type'])
      : [],
  );
  return { posts: rejected, cost: costOf(types, campaign.manifest) };
}

/** By it a plan says which posts it requests because of these rejections. */
const REJECTED_NOW = memberOf('', 'decisions', 0);

function costOf(types: readonly string[], { budget }: Campaign['manifest']): string | undefined {
  const prices: Readonly<Partial<Record<string, Money>>> = budget?.prices ?? {};
  if (!types.length || !Object.keys(prices).length) return undefined;
  const known = types.flatMap((type) => prices[type] ?? []);
  if (known.length < types.length) return 'not all of them with a price';
  return amountText(amountOf(known.reduce((total, price) => total + price, 0n)), budget?.currency);
}

/** For people; empty where the system does not say. */
export function whoJudges(env: Runtime['env']): string {
  return env['USER'] ?? env['LOGNAME'] ?? '';
}
