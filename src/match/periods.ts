/**
 * Post plans with `every` have one set of posts for each period. The set of the present period is planned like any
 * other posts. All other sets are settled: they are fetched if they were requested, and otherwise nothing is planned for
 * them, nothing becomes them, and nobody is asked to delete them.
 */
import { postPlanOf } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { everyOf, firstDayOf, hasDay, type Period, withoutPeriod } from '../model/period.ts';
import type { MediaState, RunState } from '../model/run-state.ts';

export type IsSettled = (media: MediaState) => boolean;

/** Whether a post of the state is settled: it is today for its post plan, and where that has no `every`, in UTC. */
export function findSettled(graph: Graph, now: number): IsSettled {
  const today = new Date(now).toISOString().slice(0, 'yyyy-mm-dd'.length);
  let days: Map<string, string | undefined> | undefined;
  return ({ post, period }) => {
    if (period === undefined) return false;
    days ??= new Map(graph.posts.map(({ path, period: its }) => [postPlanOf(path), its?.day]));
    return !hasDay(period, days.get(postPlanOf(post)) ?? today);
  };
}

/**
 * The period that a post goes on in, where `every` of its post plan was added, changed or taken away: the posts without
 * a period do, else those of the newest one, as far as it holds today. Undefined for all others: a set that is due because
 * time went on is new.
 */
export type Onwards = (media: MediaState) => { readonly period: string | undefined } | undefined;

export function findOnwards(graph: Graph, state: RunState): Onwards {
  const present = new Map(graph.posts.map(({ path, period }) => [postPlanOf(path), period]));
  let newest: ReadonlyMap<string, string | undefined> | undefined;
  return ({ post, period: its }) => {
    const plan = postPlanOf(post);
    const period = present.get(plan);
    const isSame = its === undefined ? period === undefined : its === period?.name;
    if (isSame || !present.has(plan) || (its !== undefined && !isPresent(its, period))) return undefined;
    newest ??= newestSets(state);
    return newest.get(withoutPeriod(post, its)) === its ? { period: period?.name } : undefined;
  };
}

/** The newest period of each instance, by its path without a period; undefined where it has a set without one. */
function newestSets({ media }: RunState): ReadonlyMap<string, string | undefined> {
  const newest = new Map<string, string | undefined>();
  for (const { post, period } of media.values()) {
    const base = withoutPeriod(post, period);
    const before = newest.get(base);
    const isNewer = period === undefined || (before !== undefined && firstDayOf(period) > firstDayOf(before));
    if (!newest.has(base) || isNewer) newest.set(base, period);
  }
  return newest;
}

/** Of periods with another length: the longer one that today is in, or a shorter one that the present period is of. */
function isPresent(its: string, present: Period | undefined): boolean {
  if (!present) return true;
  if (everyOf(its) === everyOf(present.name)) return false;
  return hasDay(its, present.day) || hasDay(present.name, firstDayOf(its));
}
