/** What the page says about a command that was just carried out. */
import type { SheetPost } from '../views/report-data.ts';
import { count } from '../util/count.ts';
import type { Merged } from './merge-decisions.ts';
import { chosenPosts, type PageState } from './page-state.ts';
import { STATUS_LOOKS } from '../views/status-looks.ts';

/** `media/hero/kitchen`, `3 posts`. */
export function postsWords(posts: readonly { readonly post: string }[]): string {
  const [one, ...others] = posts;
  return one && others.length === 0 ? one.post : count(posts.length, 'post');
}

export function decidedWords(
  done: string,
  targets: readonly { readonly post: string }[],
  state: PageState,
): string {
  const left = chosenPosts(state).length - targets.length;
  const rest = left > 0 ? ` ${count(left, 'selected post')} ${left === 1 ? 'is' : 'are'} not finished.` : '';
  return `${done} ${postsWords(targets)}.${rest}`;
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
