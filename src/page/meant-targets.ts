/**
 * Which of the chosen posts a verdict is about. A rejection makes the next apply pay again, and a reason is somebody's work, so of
 * several posts those that were decided otherwise keep their verdict, unless each of them was chosen by itself. Pure.
 */
import { idKey } from '../util/id-key.ts';
import { type Decision, type Decisions, decisionAbout, type Target, targetOf } from './decide.ts';
import { chosenPosts, type PageState } from './page-state.ts';

export interface Meant {
  readonly targets: readonly Target[];
  /** Those that keep another verdict. */
  readonly left: readonly Target[];
}

export function meantBy(state: PageState, verdict: Decision['verdict']): Meant {
  const chosen = chosenPosts(state);
  const targets = chosen.flatMap((post) => targetOf(post) ?? []);
  if (chosen.length < 2) return { targets, left: [] };
  return split(
    targets,
    ({ post, media }) => !state.named.has(post) && isOther(media, verdict, state.decisions),
  );
}

/** What of these was decided otherwise since `before`, by somebody else. */
export function stillMeant(
  targets: readonly Target[],
  verdict: Decision['verdict'],
  { before, now }: { readonly before: Pick<Decisions, 'all'>; readonly now: Pick<Decisions, 'all'> },
): Meant {
  return split(targets, ({ media }) => isOther(media, verdict, now) && !isOther(media, verdict, before));
}

/** The newest takes that these decisions reject, and the former ones did not. */
export function newlyRejected({ posts }: PageState, before: Decisions, after: Decisions): Target[] {
  return [...posts.values()].flatMap((post) => {
    const target = targetOf(post);
    if (!target || decisionAbout(target.media, after)?.verdict !== 'rejected') return [];
    return before.all.get(idKey(target.media))?.verdict === 'rejected' ? [] : [target];
  });
}

function isOther(media: string, verdict: Decision['verdict'], decisions: Pick<Decisions, 'all'>): boolean {
  const known = decisionAbout(media, decisions);
  return known !== undefined && known.verdict !== verdict;
}

function split(targets: readonly Target[], isLeft: (target: Target) => boolean): Meant {
  return { targets: targets.filter((target) => !isLeft(target)), left: targets.filter(isLeft) };
}
