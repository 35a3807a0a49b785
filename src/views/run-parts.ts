/** How much a run has to do, counted before it begins. */
import { mediaOf } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import { isCounted, surplusOf } from './plan-summary.ts';

/** The parts of a run: posts, what is sent besides polls (deletions too), and posts whose files are fetched. */
export function countParts({ nodes }: Plan) {
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
  // Some posts were generated before this run, and only their files are missing. New posts are generated first.
  const takes = new Set(
    nodes.listed.filter((node) => kindHas(node, 'stored', 'take')).map(({ address }) => address),
  );
  const fetched = nodes.listed.filter((node) => kindHas(node, 'stored', 'files'));
  const unfetched = fetched.filter(({ address }) => !takes.has(mediaOf(address))).length;
  const files = parts.files + (parts.files ? surplus : 0);
  const work = counted + surplus + unfetched;
  return { ...parts, posts: parts.posts + surplus, files, unfetched, work };
}
