/** `approve` and `reject`: one verdict about all posts that match. */
import { lookAtState } from '../app/read-state.ts';
import {
  type Chosen,
  finishedPosts,
  type JudgedPost,
  postsThatMatch,
  withoutDecided,
} from '../app/judge-posts.ts';
import type { Campaign } from '../app/campaign.ts';
import { setVerdicts } from '../app/set-verdicts.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { Verdict } from '../model/verdict.ts';
import { count } from '../util/count.ts';
import { someOf } from '../util/did-you-mean.ts';
import { idKey } from '../util/id-key.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type CommandEnd, loadFor, type Session } from './session.ts';
import { targetOf } from './target.ts';

export interface JudgeOptions {
  readonly note?: string;
}

/** Posts whose verdict changes, and those that match and keep another verdict. */
export interface Judged extends Finished {
  readonly changed: readonly JudgedPost[];
  readonly left: Chosen['left'];
}

/** `agree` is asked about the posts whose verdict changes, before anything is written; `say` adds what follows from it. */
export async function judge<Options extends JudgeOptions>(
  session: Session<Options & Session['options']>,
  verdict: Verdict['verdict'],
  more: {
    readonly agree?: (judged: Judged) => Promise<Refusal | undefined>;
    readonly say?: (judged: Judged) => string;
  } = {},
): CommandEnd {
  const { file, rest: globs } = targetOf(session.args);
  if (!globs.length) return NO_GLOB;
  const read = await finishedOf(session, file);
  if (!read.ok) return read.error;
  const matching = postsThatMatch(read.value.posts, globs);
  if (!matching.ok) return matching.error;
  const { note } = session.options;
  const { chosen, left } = withoutDecided(matching.value, globs, verdict);
  const changed = chosen.filter(
    (post) => post.verdict?.verdict !== verdict || (note !== undefined && post.verdict.note !== note),
  );
  const judged = { ...read.value, changed, left };
  const declined = changed.length ? await more.agree?.(judged) : undefined;
  if (declined) return declined;
  const written = await writeVerdicts(session, judged, { verdict, ...(note && { note }) });
  if (!written.ok) return written.error;
  answer(session, verdict, { ...judged, ...written.value }, more.say);
  return EXIT.ok;
}

interface Written {
  readonly changed: readonly JudgedPost[];
  /** Those that somebody else has decided otherwise since they were read: their verdict stays. */
  readonly meanwhile: readonly JudgedPost[];
}

export async function writeVerdicts(
  { runtime }: Session,
  { campaign, changed }: Pick<Judged, 'campaign' | 'changed'>,
  said: Pick<Verdict, 'verdict' | 'note'>,
): Promise<Result<Written, Refusal>> {
  if (!changed.length) return ok({ changed, meanwhile: [] });
  const wanted = changed.map(({ address, media, verdict }) => {
    return { address, media, ...said, seen: verdict?.verdict ?? 'undecided' } as const;
  });
  const set = await setVerdicts(runtime, campaign, wanted);
  if (!set.ok) return set;
  const others = new Set(set.value.map(({ media }) => idKey(media)));
  const isOther = ({ media }: JudgedPost) => others.has(idKey(media));
  return ok({ changed: changed.filter((post) => !isOther(post)), meanwhile: changed.filter(isOther) });
}

function answer(
  { output }: Session,
  verdict: Verdict['verdict'],
  judged: Judged & Written,
  say?: (judged: Judged) => string,
): void {
  const { changed, left, meanwhile } = judged;
  const lines = changed.map(({ address }) => `${output.style.green('✓')} ${address} ${verdict}\n`);
  const follows = changed.length ? (say?.(judged) ?? '') : '';
  const words = [...lines, follows, leftWords(left, verdict), meanwhileWords(meanwhile)].join('');
  const json = changed.map(({ address, media, settled }) => ({
    address,
    media,
    ...(settled && { settled }),
  }));
  const leftOut = [...left, ...meanwhile].map(({ address, media }) => ({ address, media }));
  output.answer({ [verdict]: json, left_out: leftOut }, words || NOTHING_NEW);
}

/** How many keep another verdict, and how their verdict is changed. */
export function leftWords(left: Chosen['left'], verdict: Verdict['verdict']): string {
  if (!left.length) return '';
  const [other, verb] = verdict === 'rejected' ? ['approved', 'reject'] : ['rejected', 'approve'];
  const [are, them] = left.length === 1 ? ['is', 'it'] : ['are', 'one of them'];
  return `${count(left.length, `${other} post`)} ${are} left out: ${addressesOf(left)}. To ${verb} ${them}, name it by its address, without a glob.\n`;
}

function meanwhileWords(posts: readonly JudgedPost[]): string {
  if (!posts.length) return '';
  const [was, its] = posts.length === 1 ? ['was', 'its verdict'] : ['were', 'their verdicts'];
  return `${count(posts.length, 'post')} ${was} decided otherwise by somebody else meanwhile, so ${its} stayed: ${addressesOf(posts)}.\n`;
}

function addressesOf(posts: readonly JudgedPost[]): string {
  return someOf(posts.map(({ address }) => address));
}

interface Finished {
  readonly campaign: Campaign;
  readonly state: RunState;
  readonly posts: JudgedPost[];
}

/** A campaign and its finished posts. */
export async function finishedOf(session: Session, file: string): Promise<Result<Finished, Refusal>> {
  const campaign = await loadFor(session, file);
  if (!campaign.ok) return campaign;
  const opened = await lookAtState(session.runtime, campaign.value);
  if (!opened.ok) return opened;
  const { state } = opened.value;
  const posts = finishedPosts(campaign.value, state, session.runtime.clock.now());
  return posts.length ? ok({ campaign: campaign.value, state, posts }) : err(NO_POST);
}

const NOTHING_NEW = 'Nothing new: that was decided before.\n';

const NO_GLOB = refusal(EXIT.usage, {
  code: 'no-address',
  summary: 'No post is named',
  detail:
    "Name posts by their addresses, or by globs over them: 'media/hero/*'. `campaign outputs` lists them.",
});

const NO_POST = refusal(EXIT.usage, {
  code: 'no-post',
  summary: 'There is no finished post',
  detail: 'Only posts that are finished and downloaded can be judged. `campaign status` says what is open.',
});
