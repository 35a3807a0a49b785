/** Numbers of a status, without a manifest and a state behind them. */
import { type Coverage, type PostCounts, sumOf } from '../../src/views/coverage.ts';

export const NO_POSTS: PostCounts = sumOf([]);

/** Of post plans by their keys; what is left out is zero. */
export function coverageOfPlans(
  plans: Readonly<Record<string, Partial<PostCounts> & { readonly instances?: number }>>,
  open: Coverage['open'] = [],
): Coverage {
  const rows = Object.entries(plans).map(([post_plan, counts]) => ({
    post_plan,
    instances: 1,
    ...NO_POSTS,
    ...counts,
  }));
  const { items, ...sums } = sumOf(rows);
  return { posts: items, ...sums, approved: 0, undecided: 0, post_plans: rows, by_post: [], open };
}
