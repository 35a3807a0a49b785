/** How much a run has to do, counted before it begins. */
import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import { countToDownload, isCounted, surplusOf } from './plan-summary.ts';

/** The parts of a run: posts, what is sent besides polls (deletions too), and posts whose files are fetched. */
export function countParts(plan: Plan) {
  const { nodes } = plan;
  const parts = { posts: 0, requests: 0, files: 0 };
  let surplus = 0;
  let counted = 0;
  for (const node of nodes) {
    if (kindHas(node, 'stored', 'take')) parts.posts += 1;
    else if (kindHas(node, 'stored', 'files')) parts.files += 1;
    else parts.requests += 1;
    surplus += surplusOf(node);
    if (isCounted(node)) counted += 1;
  }
  const unfetched = countToDownload(plan);
  const files = parts.files + (parts.files ? surplus : 0);
  const work = counted + surplus + unfetched;
  return { ...parts, posts: parts.posts + surplus, files, unfetched, work };
}
