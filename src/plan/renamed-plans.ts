/**
 * Post plans with another key and another edit, in this run or in one whose edits were left: an item that is as it was, but
 * for what it builds on, shows which plan it was. All posts go along, and those that changed are asked about.
 */
import { postPlanOf } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { groupBy } from '../util/group-by.ts';
import { SAME_CONTENT, sameByName } from './marks.ts';
import { movePost } from './period-moves.ts';

export function renamedPlans(graph: Graph, state: RunState): Move[] {
  const media = [...state.media.values()];
  const paths = new Set(media.map(({ post }) => post));
  const asked = new Set(graph.posts.map(({ path }) => path));
  // By their posts, as a plan with a matrix and one without may have exchanged their keys.
  const known = plansOf(graph.posts.flatMap(({ path }) => (paths.has(path) ? path : [])));
  const fresh = graph.posts.filter(({ path }) => !known.has(postPlanOf(path)));
  if (!fresh.length) return [];
  const named = plansOf([...paths].filter((path) => asked.has(path)));
  const gone = media.filter(({ post, surplus }) => !surplus && !named.has(postPlanOf(post)));
  if (!gone.length) return [];
  const pairs = new Pairs();
  for (const { ofItem, ofMedium } of [SAME_CONTENT, sameByName(graph, state)]) {
    const wanted = new Map<string, Set<string>>();
    for (const { path, items } of fresh) {
      for (const item of items) {
        const mark = `${instanceOf(path)} ${ofItem(item)}`;
        wanted.set(mark, (wanted.get(mark) ?? new Set()).add(postPlanOf(path)));
      }
    }
    for (const medium of gone) {
      const mark = `${instanceOf(medium.post)} ${ofMedium(medium)}`;
      for (const plan of wanted.get(mark) ?? []) pairs.add(postPlanOf(medium.post), plan);
    }
  }
  const byPost = groupBy(media, ({ post }) => post);
  return fresh.flatMap(({ path, period }) => {
    const plan = pairs.originOf(postPlanOf(path));
    const before = plan === undefined ? [] : (byPost.get(plan + instanceOf(path)) ?? []);
    return before.map((medium) => movePost(medium, { path, period: period?.name }));
  });
}

function plansOf(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.map(postPlanOf));
}

/** What follows the key of the post plan. */
function instanceOf(path: string): string {
  return path.slice(postPlanOf(path).length);
}

/** Plans that may be one another; who has several partners has none. */
class Pairs {
  private readonly after = new Map<string, Set<string>>();
  private readonly before = new Map<string, Set<string>>();

  add(from: string, to: string): void {
    this.after.set(from, (this.after.get(from) ?? new Set()).add(to));
    this.before.set(to, (this.before.get(to) ?? new Set()).add(from));
  }

  originOf(to: string): string | undefined {
    const [from, ...others] = this.before.get(to) ?? [];
    return from !== undefined && !others.length && this.after.get(from)?.size === 1 ? from : undefined;
  }
}
