/** What the page says about a command that was just carried out. */
import type { SheetPost } from '../views/report-data.ts';
import { count } from '../util/count.ts';
import { EMULATOR } from '../model/emulator.ts';
import { amountText } from '../views/budget-words.ts';
import type { Decision } from './decide.ts';
import type { Meant } from './meant-targets.ts';
import type { Merged } from './merge-decisions.ts';
import { chosenPosts, type PageState } from './page-state.ts';
import { STATUS_LOOKS } from '../views/status-looks.ts';

/** `media/hero/kitchen`, `3 posts`. */
export function postsWords(posts: readonly { readonly post: string }[]): string {
  const [one, ...others] = posts;
  return one && others.length === 0 ? one.post : count(posts.length, 'post');
}

export function decidedWords(
  verdict: Decision['verdict'],
  { targets, left }: Meant,
  state: PageState,
): string {
  const unfinished = chosenPosts(state).length - targets.length - left.length;
  const are = unfinished === 1 ? 'is' : 'are';
  const rest = unfinished > 0 ? [`${count(unfinished, 'selected post')} ${are} not finished.`] : [];
  const done = verdict === 'approved' ? 'Approved' : 'Rejected';
  const kept = left.length ? [leftWords(left, verdict)] : [];
  return [`${done} ${postsWords(targets)}.`, ...kept, ...rest].join(' ');
}

/** How many keep another verdict, and how to give them this one. */
export function leftWords(left: readonly unknown[], verdict: Decision['verdict']): string {
  const [other, verb] = verdict === 'rejected' ? ['approved', 'reject'] : ['rejected', 'approve'];
  const [are, one] = left.length === 1 ? ['is', 'it'] : ['are', 'one'];
  return `${count(left.length, `${other} post`)} ${are} left out. To ${verb} ${one}, frame it alone, or select the posts one by one with Ctrl and a click.`;
}

/** What the next apply does with rejected posts: `The next apply requests 12 posts again, and pays for them: 1.20 EUR.` */
export function followsWords(
  targets: readonly { readonly post: string }[],
  { data, posts }: PageState,
): string {
  const rejected = targets.flatMap(({ post }) => posts.get(post) ?? []);
  const again = rejected.filter(({ wanted }) => wanted);
  const rest = rejected.length - again.length;
  const number = targets.length === 1 ? 'it' : count(again.length, 'post');
  const costs = again.map(({ cost }) => cost);
  const isPriced = costs.some((cost) => cost !== null);
  const cost = costs.includes(null)
    ? 'not all of them with a price'
    : amountText(
        costs.reduce<number>((sum, each) => sum + (each ?? 0), 0),
        data.currency ?? undefined,
      );
  const them = again.length === 1 ? 'it' : 'them';
  const paid =
    data.environment === EMULATOR
      ? isPriced
        ? ` (${cost} by the prices of the manifest)`
        : ''
      : `, and pays for ${them}${isPriced ? `: ${cost}` : ''}`;
  return [
    ...(again.length ? [`The next apply requests ${number} again${paid}.`] : []),
    ...(rest
      ? [
          `${count(rest, 'post')} ${rest === 1 ? 'is' : 'are'} not requested again, because the manifest does not ask for ${rest === 1 ? 'it' : 'them'} now.`,
        ]
      : []),
  ].join(' ');
}

export function nothingToJudge(posts: readonly SheetPost[]): string {
  const [post, ...others] = posts;
  if (!post) return 'There is no picture to judge.';
  if (others.length > 0) return 'None of the selected posts is finished, so there is nothing to judge.';
  return `${post.address} is ${STATUS_LOOKS[post.status].words}, so there is nothing to judge yet.`;
}

export function mergedWords({ added, replaced, older, same }: Merged): string {
  const parts = [
    [added, 'new'],
    [replaced, 'newer than here'],
    [older, 'older than here and left out'],
    [same, 'known'],
  ] as const;
  const words = parts.flatMap(([number, word]) => (number ? [`${number} ${word}`] : []));
  const total = added + replaced + older + same;
  return total === 0 ? 'The file has no decision.' : `Read ${count(total, 'decision')}: ${words.join(', ')}.`;
}
