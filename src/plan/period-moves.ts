import { mediaAddress, postPlanOf, splitMedia } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { storedAs } from '../model/kinds.ts';
import { withoutPeriod, withPeriod } from '../model/period.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import { groupBy } from '../util/group-by.ts';
import { SAME_CONTENT, sameByName } from './marks.ts';
import { type Marked, pairEqual } from './move-steps.ts';
import { type MayBecome, presentSets } from './periods.ts';

/** A post with another path or another period. */
export function movePost(
  { address, item }: Pick<MediaState, 'address' | 'item'>,
  { path, period }: { readonly path: string; readonly period?: string | undefined },
): Move {
  return { from: address, to: mediaAddress(path, item), ...(period !== undefined && { period }) };
}

/**
 * Where `every` was added, taken away or changed, the present posts go on as the present set, but for those that only
 * another post plan asks for: the key of their post plan was given on, as by who makes a weekly `hero` after renaming the old one.
 */
export function movesToPresent(graph: Graph, state: RunState): Move[] {
  const sets = presentSets(graph, state).filter(([, posts]) => posts.length);
  if (!sets.length) return [];
  const all = [SAME_CONTENT, sameByName(graph, state)].map(({ ofItem, ofMedium }) => ({
    ofMedium,
    askedBy: groupBy(
      graph.posts.flatMap(({ path, items }) => items.map((item) => ({ path, mark: ofItem(item) }))),
      ({ mark }) => mark,
    ),
  }));
  return sets.flatMap(([{ path, period }, posts]) => {
    const asking = new Map(
      posts.map((media) => [
        media,
        all.flatMap(({ ofMedium, askedBy }) => askedBy.get(ofMedium(media)) ?? []),
      ]),
    );
    const isOwn = (by: { readonly path: string }) => postPlanOf(by.path) === postPlanOf(path);
    const asked = [...asking.values()].filter((each) => each.length);
    // What else the set had goes where most of it is sure to go.
    const isGivenOn = asked.length > 0 && !asked.some((each) => each.some(isOwn));
    return [...asking]
      .filter(([, each]) => (each.length ? each.some(isOwn) : !isGivenOn))
      .map(([media]) => movePost(media, { path, period: period?.name }));
  });
}

/** Settled sets of an instance whose present set was renamed: they go with their post plan. */
export function followingSets(graph: Graph, state: RunState, moves: readonly Move[]): Move[] {
  const renamed = renamedInstances(graph, moves);
  if (!renamed.size) return [];
  return [...state.media.values()].flatMap((media) => {
    const { post, period } = media;
    const to = period === undefined ? undefined : renamed.get(withoutPeriod(post, period));
    if (to === undefined) return [];
    const path = withPeriod(to, period);
    return state.media.has(mediaAddress(path, media.item)) ? [] : [movePost(media, { path, period })];
  });
}

/** Instances without their period, by their old names; those whose posts went to different ones are left out. */
function renamedInstances(graph: Graph, moves: readonly Move[]): Map<string, string> {
  const targets = new Map<string, Set<string>>();
  for (const { from, to, period } of moves) {
    if (period === undefined || storedAs(from) !== 'take') continue;
    const [old, now] = [splitMedia(from).post, splitMedia(to).post];
    const wasInPeriod = old.endsWith(`+${period}`) || old.endsWith(`/${period}`);
    if (!wasInPeriod) continue;
    const base = withoutPeriod(old, period);
    targets.set(base, (targets.get(base) ?? new Set()).add(withoutPeriod(now, period)));
  }
  if (!targets.size) return new Map();
  const named = new Set(graph.posts.map(({ path, period }) => withoutPeriod(path, period?.name)));
  return new Map(
    [...targets].flatMap(([base, [to, ...others]]) =>
      to === undefined || others.length || named.has(base) ? [] : [[base, to] as const],
    ),
  );
}

export interface MarkedGone extends Marked {
  /** One of the posts that it stands for. */
  readonly media: MediaState;
}

export interface MarkedFresh extends Marked {
  readonly period: string | undefined;
  readonly isDue?: boolean;
}

/** Pairs as `pairEqual` does, each period by itself. */
export function pairInPeriods(
  gone: readonly MarkedGone[],
  fresh: readonly MarkedFresh[],
  mayBecome: MayBecome,
): Move[] {
  const taken = new Set<string>();
  const byPeriod = groupBy(fresh, ({ period = '', isDue = false }) => `${period} ${isDue}`);
  return [...byPeriod.values()].flatMap((wanted) => {
    const [{ period, isDue } = { period: undefined }] = wanted;
    const moves = pairEqual(
      gone.filter(({ address, media }) => !taken.has(address) && mayBecome(media, period, isDue)),
      wanted,
    );
    for (const { from } of moves) taken.add(from);
    return moves;
  });
}
