/** `approve` and `reject`: one verdict about all posts that match. */
import { lookAtState } from '../app/read-state.ts';
import { finishedPosts, type JudgedPost, judgePosts, postsThatMatch } from '../app/judge-posts.ts';
import type { Campaign } from '../app/campaign.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { Verdict } from '../model/verdict.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type CommandEnd, loadFor, type Session } from './session.ts';
import { targetOf } from './target.ts';

export interface JudgeOptions {
  readonly note?: string;
}

/** Posts whose verdict changes. */
export interface Judged extends Finished {
  readonly changed: readonly JudgedPost[];
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
  const { campaign, state, posts } = read.value;
  const chosen = postsThatMatch(posts, globs);
  if (!chosen.ok) return chosen.error;
  const { note } = session.options;
  const changed = chosen.value.filter(
    (post) => post.verdict?.verdict !== verdict || (note !== undefined && post.verdict.note !== note),
  );
  const declined = changed.length ? await more.agree?.({ campaign, state, posts, changed }) : undefined;
  if (declined) return declined;
  if (changed.length) {
    const judged = await judgePosts(session.runtime, campaign, changed, { verdict, ...(note && { note }) });
    if (!judged.ok) return judged.error;
  }
  const { output } = session;
  const lines = changed.map(({ address }) => `${output.style.green('✓')} ${address} ${verdict}\n`);
  const text = changed.length
    ? lines.join('') + (more.say?.({ campaign, state, posts, changed }) ?? '')
    : NOTHING_NEW;
  const json = changed.map(({ address, media, settled }) => ({
    address,
    media,
    ...(settled && { settled }),
  }));
  output.answer({ [verdict]: json }, text);
  return EXIT.ok;
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
