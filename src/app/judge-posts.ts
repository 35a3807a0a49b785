/** Records what people think of finished posts: nothing is sent, and the state stays as it is. */
import { addDecisions } from '../decisions/add-decisions.ts';
import type { Decision } from '../decisions/generated/decisions-document.js';
import { writeDecisions } from '../decisions/write-decisions.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { currentTake, type RunState, type TakeState } from '../model/run-state.ts';
import { memberOf } from '../model/source.ts';
import { type Verdict, verdictAbout } from '../model/verdict.ts';
import { findSettled } from '../plan/periods.ts';
import { idKey } from '../util/id-key.ts';
import { matchesGlob } from '../util/match-glob.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { diskProblem } from './disk-problem.ts';
import { planCampaign } from './plan-campaign.ts';
import { wishesOf } from './plan-wishes.ts';
import { type Runtime, timestamp } from './runtime.ts';

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
    `${glob} matches no post that is finished and downloaded, and only such posts can be judged. Globs match whole ` +
    'addresses, such as media/hero/*; `campaign outputs` lists them, and `campaign status` says what is open.';
  return refusal(EXIT.usage, { code: 'no-match', summary: 'No finished post has that address', detail });
}

/** How many of these posts the next run requests again if they are rejected: some may be out of takes, or named no more. */
export function requestedIfRejected(
  campaign: Campaign,
  state: RunState,
  { posts, now }: { readonly posts: readonly JudgedPost[]; readonly now: number },
): number {
  const { decisions } = campaign;
  const verdicts = new Map([...decisions.verdicts].filter(([, { verdict }]) => verdict === 'approved'));
  for (const { media } of posts)
    verdicts.set(idKey(media), { verdict: 'rejected', source: memberOf('', 'decisions', 0) });
  const judged = { ...campaign, decisions: { ...decisions, verdicts } };
  const planned = planCampaign(judged, state, { now, wishes: wishesOf({}), folders: 'trust' });
  return planned.ok ? planned.value.rejected : posts.length;
}

/** Writes one verdict about each of these posts. */
export async function judgePosts(
  { clock, env }: Pick<Runtime, 'clock' | 'env'>,
  { decisionsFile, workFolder }: Pick<Campaign, 'decisionsFile' | 'workFolder'>,
  posts: readonly Pick<JudgedPost, 'address' | 'media'>[],
  { verdict, note }: Pick<Verdict, 'verdict' | 'note'>,
): Promise<Result<void, Refusal>> {
  const by = whoJudges(env);
  const added = posts.map(({ address, media }): Decision => {
    const said = note === undefined || note === '' ? {} : { note };
    return { post: address, media, verdict, ...said, ...(by && { by }), at: timestamp({ clock }) };
  });
  try {
    await writeDecisions(decisionsFile, (text) => addDecisions(text, added), { workFolder, clock });
    return ok(undefined);
  } catch (error) {
    const problem = diskProblem(error);
    if (!problem) throw error;
    return err({ exit: EXIT.cannotWrite, problems: [problem] });
  }
}

/** For people; empty where the system does not say. */
export function whoJudges(env: Runtime['env']): string {
  return env['USER'] ?? env['LOGNAME'] ?? '';
}
