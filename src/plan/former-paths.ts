/** Instances of a matrix go with their products and concepts: which path a post had before these were renamed. */
import type { Address } from '../model/address.ts';
import type { GraphPost } from '../model/graph.ts';
import { hasKey, kindOf } from '../model/kinds.ts';
import type { Move } from '../model/plan.ts';
import { slugOfKey } from '../util/slug.ts';

/** Undefined where the post has a product or a concept that is new, though another one had its key. */
export type FormerPath = (post: GraphPost) => string | undefined;

export function findFormer(moves: readonly Move[]): FormerPath {
  const objects = moves.filter(({ from }) => hasKey(from));
  if (!objects.length) return ({ path }) => path;
  const origins = new Map(objects.map(({ from, to }) => [slugOf(to), slugOf(from)]));
  const left = new Set(objects.map(({ from }) => slugOf(from)));
  return ({ path, instanceOf = [] }) => {
    const slash = path.indexOf('/');
    const before = path
      .slice(slash + 1)
      .split('+')
      .map((part, index) => {
        const kind = instanceOf[index];
        if (kind === undefined) return part;
        const now = `${kind}/${part}`;
        return (origins.get(now) ?? (left.has(now) ? undefined : now))?.slice(kind.length + 1);
      });
    return before.includes(undefined) ? undefined : `${path.slice(0, slash + 1)}${before.join('+')}`;
  };
}

function slugOf(address: Address): string {
  const kind = kindOf(address) ?? '';
  const [key = '', ...aside] = address.slice(kind.length + 1).split('+');
  return [`${kind}/${slugOfKey(key)}`, ...aside].join('+');
}
