import { splitTake } from '../model/address.ts';
import { type Deletion, type Deletions, isDeletion, type Plan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { count } from '../util/count.ts';

/** Why a limit keeps a plan from deleting anything, whoever agrees; undefined where none does. */
export function deletionsRefused({ deletions }: Plan): Problem | undefined {
  const { withheld = [], because } = deletions ?? {};
  const what = count(withheld.length, 'deletion');
  const n = `--max-deletes ${withheld.length}`;
  if (because === 'too-many')
    return {
      code: 'too-many-deletions',
      summary: 'Nothing is deleted',
      detail: `The plan has ${what}, which is more than --max-deletes allows. The rest is done. Look at the plan; if you mean it, say ${n}.`,
    };
  if (because === 'most-products-gone')
    return {
      code: 'products-gone',
      summary: 'Nothing is deleted',
      detail: `Most of the known products are not in the manifest any more. Is a disk missing, or a table cut? The rest is done. If you mean it, say ${n}: --yes is not enough for this.`,
    };
  return undefined;
}

/** The deletion that takes a post with it, by the post's address with or without its take. */
export function deletedWith(address: string, { nodes, leftAlone }: Plan): Deletion | undefined {
  if (leftAlone.includes(address)) return undefined;
  return nodes.listed
    .filter(isDeletion)
    .find(({ payload }) =>
      payload.posts.some((take) => take === address || splitTake(take).address === address),
    );
}

/** Why something that the manifest no longer names stays, where deletions were asked for. */
export function whyItStays(address: string, { stays }: Deletions): string | undefined {
  return stays.find((each) => each.address === address)?.why;
}
