import { type Address, downloadAddress, postPlanOf, splitMedia, takeAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { firstDayOf } from '../model/period.ts';
import type { Plan } from '../model/plan.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import { groupBy } from '../util/group-by.ts';

/** The present period of each post plan with `every`, by the key of the post plan; undefined where there is none. */
export function periodNames(
  periods: readonly { readonly post: string; readonly name: string }[],
): Readonly<Record<string, string>> | undefined {
  return periods.length ? Object.fromEntries(periods.map(({ post, name }) => [post, name])) : undefined;
}

/** What is open in a settled period of a post plan. */
export interface SettledPeriod {
  readonly post: string;
  readonly period: string;
  /** Requested and paid for; every run polls and downloads them. */
  readonly pending: number;
  readonly failed: number;
}

/** Whether a post that the plan does not leave alone is of a settled period; `address` is the one after all moves. */
export function findSettled({ posts }: Graph): (media: MediaState, address?: Address) => boolean {
  const present = new Set(posts.map(({ path }) => path));
  return ({ period, address }, moved = address) =>
    period !== undefined && !present.has(splitMedia(moved).post);
}

/** Settled periods with something open, the oldest first. A plan does not list their posts. */
export function settledPeriods(graph: Graph, state: RunState, plan: Plan): SettledPeriod[] {
  const leftAlone = new Set(plan.leftAlone);
  const isSettled = findSettled(graph);
  const due = new Set(plan.nodes.listed.map(({ address }) => address));
  const settled = [...state.media.values()].filter(
    (media) => isSettled(media) && !leftAlone.has(media.address),
  );
  const sets = groupBy(settled, ({ post, period = '' }) => `${postPlanOf(post)} ${period}`);
  return [...sets]
    .map(([name, media]) => {
      const [post = '', period = ''] = name.split(' ');
      const count = (end: ReturnType<typeof endOf>) => media.filter((one) => endOf(one, due) === end).length;
      return { post, period, pending: count('pending'), failed: count('failed') };
    })
    .filter(({ pending, failed }) => pending + failed > 0)
    .sort((a, b) => (beginOf(a) < beginOf(b) ? -1 : 1));
}

/** `due`: addresses of what a run would poll and download. */
function endOf(media: MediaState, due: ReadonlySet<string>): 'pending' | 'failed' | undefined {
  const take = currentTake(media);
  if (take?.status === 'pending') return 'pending';
  if (take?.status === 'failed' || take?.status === 'lost') return 'failed';
  const isUnfetched = take?.status === 'done' && due.has(downloadAddress(takeAddress(media.address, take.n)));
  return isUnfetched ? 'pending' : undefined;
}

function beginOf({ period, post }: SettledPeriod): string {
  return `${firstDayOf(period)} ${post}`;
}
