/** The instances of a matrix go with their products and concepts: their paths before and after these were renamed. */
import { type Address, postPlanOf } from '../model/address.ts';
import type { Graph, GraphPost } from '../model/graph.ts';
import { hasKey, kindOf } from '../model/kinds.ts';
import type { Move } from '../model/plan.ts';
import { slugOfKey } from '../util/slug.ts';

export interface InstancePaths {
  /** The path that a post had; undefined where it has a product or a concept that is new, though another one had its key. */
  readonly before: (post: GraphPost) => string | undefined;
  /** The path that a post of the state gets. */
  readonly after: (path: string) => string;
}

export function instancePaths({ posts }: Graph, moves: readonly Move[]): InstancePaths {
  const objects = moves.filter(({ from }) => hasKey(from));
  if (!objects.length) return { before: ({ path }) => path, after: (path) => path };
  const from = new Map(objects.map((move) => [nameOf(move.to), nameOf(move.from)]));
  const to = new Map(objects.map((move) => [nameOf(move.from), nameOf(move.to)]));
  const kinds = new Map(posts.map(({ path, instanceOf }) => [postPlanOf(path), instanceOf]));
  const replaced = (path: string, other: (name: string) => string | undefined) => {
    const slash = path.indexOf('/');
    const parts = path.slice(slash + 1).split('+');
    const others = parts.map((part, index) => {
      const kind = kinds.get(postPlanOf(path))?.[index];
      return kind === undefined ? part : other(`${kind}/${part}`)?.slice(kind.length + 1);
    });
    return others.includes(undefined) ? undefined : `${path.slice(0, slash + 1)}${others.join('+')}`;
  };
  return {
    before: ({ path }) => replaced(path, (name) => from.get(name) ?? (to.has(name) ? undefined : name)),
    after: (path) => replaced(path, (name) => to.get(name) ?? name) ?? path,
  };
}

/** `product/tote`, as a path has it; what had to leave its key keeps its number. */
function nameOf(address: Address): string {
  const kind = kindOf(address) ?? '';
  const [key = '', ...aside] = address.slice(kind.length + 1).split('+');
  return [`${kind}/${slugOfKey(key)}`, ...aside].join('+');
}
