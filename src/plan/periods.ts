/**
 * Post plans with `every` have one set of posts for each period. The set of the present period is planned like any
 * other posts. All other sets are settled: they are fetched if they were requested, and otherwise nothing is planned for
 * them, nothing becomes them, and nobody is asked to delete them.
 */
import { mediaAddress, postPlanOf } from '../model/address.ts';
import type { Graph, GraphPost } from '../model/graph.ts';
import { everyOf, firstDayOf, hasDay, type Period, withoutPeriod } from '../model/period.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import { groupBy } from '../util/group-by.ts';

export type PeriodOf = (media: MediaState) => string | undefined;

/**
 * Whether a post belongs to a period, which the state says. One whose post plan got `every` later belongs to a period if
 * its name says so: its set was made by a matrix over periods.
 */
export function periodsOf(graph: Graph): PeriodOf {
  const bases = new Set<string>();
  for (const { path, period } of graph.posts) if (period) bases.add(withoutPeriod(path, period.name));
  if (!bases.size) return ({ period }) => period;
  return ({ post, period }) => period ?? periodInName(post, bases);
}

function periodInName(post: string, bases: ReadonlySet<string>): string | undefined {
  const name = post.slice(1 + Math.max(post.lastIndexOf('+'), post.lastIndexOf('/')));
  return everyOf(name) && bases.has(withoutPeriod(post, name)) ? name : undefined;
}

export type IsSettled = (media: MediaState) => boolean;

/** Whether a post of the state is settled. A post plan that is gone is in the period of the UTC day. */
export function findSettled(graph: Graph, now: number): IsSettled {
  const periodOf = periodsOf(graph);
  const today = new Date(now).toISOString().slice(0, 'yyyy-mm-dd'.length);
  let present: Map<string, Period | undefined> | undefined;
  return (media) => {
    const period = periodOf(media);
    if (period === undefined) return false;
    present ??= new Map(graph.posts.map((post) => [postPlanOf(post.path), post.period]));
    const plan = postPlanOf(media.post);
    return present.has(plan) ? present.get(plan)?.name !== period : !hasDay(period, today);
  };
}

/**
 * What may become posts of a period (`undefined`: posts without one): what is in the same one, in none, or in another one
 * that today is in, as an item that goes from a weekly post plan to one without `every`. Of a post plan
 * that is gone, also its newest set, where its `every` was changed or taken away in the same edit. What is due because
 * time went on is no edit: only what is of its period may become it.
 */
export type MayBecome = (media: MediaState, period: string | undefined, isDue?: boolean) => boolean;

export function findMoving(graph: Graph, state: RunState): MayBecome {
  const periodOf = periodsOf(graph);
  const today = todayIn(graph);
  let newest: ReadonlySet<string> | undefined;
  let present: ReadonlyMap<string | undefined, Period | undefined> | undefined;
  return (media, period, isDue = false) => {
    const its = periodOf(media);
    if (its === period) return true;
    if (isDue) return false;
    if (its === undefined) return true;
    present ??= new Map(graph.posts.map((post) => [post.period?.name, post.period]));
    if (!isPresent(its, present.get(period))) return false;
    if (today !== undefined && hasDay(its, today)) return true;
    newest ??= newestOfGone(graph, state, periodOf);
    return newest.has(media.post);
  };
}

/** Which day it is, as far as the manifest says so. */
function todayIn({ posts }: Graph): string | undefined {
  return posts.find(({ period }) => period)?.period?.day;
}

export type IsOpen = (media: MediaState) => boolean;

/** Whether a post is in no period, or in one that today is in. */
export function isOpenIn(graph: Graph): IsOpen {
  const periodOf = periodsOf(graph);
  const today = todayIn(graph);
  return (media) => {
    const period = periodOf(media);
    return (
      period === undefined || today === undefined || hasDay(period, today) || firstDayOf(period) >= today
    );
  };
}

/**
 * Whether a set is due because time went on, and not because of an edit: the newest set before it was for as long. What comes
 * to a set that is there already is an edit.
 */
export function findDue(graph: Graph, state: RunState): (post: GraphPost) => boolean {
  const periodOf = periodsOf(graph);
  let known: ReadonlyMap<string, readonly PeriodSet[]> | undefined;
  return ({ path, period }) => {
    if (!period) return false;
    known ??= setsOf(state.media.values(), periodOf);
    const sets = known.get(withoutPeriod(path, period.name)) ?? [];
    if (sets.some((set) => set.period === period.name)) return false;
    const before = newestOf(sets);
    return before !== undefined && isOfLength(before, period);
  };
}

/** Of post plans that have another `every`, have none any more, or are gone, the newest set of each instance. */
function newestOfGone(graph: Graph, state: RunState, periodOf: PeriodOf): Set<string> {
  const present = new Map(
    graph.posts.flatMap(({ path, period }) => (period ? [[postPlanOf(path), period]] : [])),
  );
  const byPlan = setsOf(state.media.values(), periodOf, ({ path }) => postPlanOf(path));
  const gone = [...byPlan].flatMap(([plan, sets]) => {
    const now = present.get(plan);
    const newest = newestOf(sets);
    const isGone =
      !now || (newest && !sets.some((set) => isOfLength(set, now) && beginOf(set) >= beginOf(newest)));
    return isGone ? sets : [];
  });
  const byInstance = groupBy(gone, instanceOf);
  return new Set([...byInstance.values()].flatMap((known) => newestOf(known)?.path ?? []));
}

function isOfLength({ period }: PeriodSet, now: Period): boolean {
  return period !== undefined && everyOf(period) === everyOf(now.name);
}

/** All posts of one instance in one period. */
interface PeriodSet {
  readonly path: string;
  readonly period: string | undefined;
  readonly media: readonly MediaState[];
}

function instanceOf({ path, period }: PeriodSet): string {
  return withoutPeriod(path, period);
}

/** The sets of each instance, by its path without a period, or of what else they have in common. */
function setsOf(
  media: Iterable<MediaState>,
  periodOf: PeriodOf,
  keyOf: (set: PeriodSet) => string = instanceOf,
): Map<string, PeriodSet[]> {
  const sets = [...groupBy(media, ({ post }) => post)].flatMap(([path, all]) =>
    all[0] ? { path, period: periodOf(all[0]), media: all } : [],
  );
  return groupBy(sets, keyOf);
}

/**
 * Posts of the graph whose set is not whole, and the posts that go on as this set. A part of them may have moved already,
 * because the power failed between two moves.
 */
export function presentSets(graph: Graph, state: RunState): (readonly [GraphPost, readonly MediaState[]])[] {
  if (!hasOne(graph.posts) && !hasOne(state.media.values())) return [];
  const known = new Map<string, number>();
  for (const { post } of state.media.values()) known.set(post, 1 + (known.get(post) ?? 0));
  const fresh = new Map(
    graph.posts.flatMap((post) =>
      (known.get(post.path) ?? 0) < post.items.length
        ? [[withoutPeriod(post.path, post.period?.name), post]]
        : [],
    ),
  );
  if (!fresh.size) return [];
  const periodOf = periodsOf(graph);
  const fitting = [...state.media.values()].filter((media) => {
    const its = periodOf(media);
    const post = fresh.get(withoutPeriod(media.post, its));
    if (!post || !isPresent(its, post.period)) return false;
    return !state.media.has(mediaAddress(post.path, media.item));
  });
  const sets = setsOf(fitting, periodOf);
  return [...fresh].map(([base, post]) => [post, presentOf(sets.get(base) ?? [])]);
}

/**
 * Whether posts go on as the present set because `every` was added, taken away, or changed: those without a period, those
 * of the newest period, those of the longer period that today is in, or of a shorter one that the present period is of.
 */
function isPresent(its: string | undefined, present: Period | undefined): boolean {
  if (!present || its === undefined) return true;
  if (everyOf(its) === everyOf(present.name)) return false;
  return hasDay(its, present.day) || hasDay(present.name, firstDayOf(its));
}

function presentOf(sets: readonly PeriodSet[]): readonly MediaState[] {
  return (sets.find(({ period }) => period === undefined) ?? newestOf(sets))?.media ?? [];
}

function hasOne(posts: Iterable<{ readonly period?: unknown }>): boolean {
  for (const { period } of posts) if (period !== undefined) return true;
  return false;
}

function newestOf(sets: readonly PeriodSet[]): PeriodSet | undefined {
  return sets.reduce<PeriodSet | undefined>((newest, set) => {
    if (set.period === undefined) return newest;
    return newest && beginOf(newest) >= beginOf(set) ? newest : set;
  }, undefined);
}

function beginOf({ period }: PeriodSet): string {
  return firstDayOf(period ?? '');
}
