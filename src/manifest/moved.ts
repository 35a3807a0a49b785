import { memberOf } from '../model/source.ts';
import type { Manifest, Post } from './manifest.ts';
import type { Problems } from './problems.ts';

type Moved = NonNullable<Manifest['moved']>;

interface Scope {
  readonly products: readonly { readonly key: string }[];
  readonly concepts: readonly { readonly key: string }[];
  readonly posts: readonly Post[];
  readonly problems: Problems;
}

/** The renames of a manifest: one kind on both sides, a new address that the manifest names, an old one that it does not. */
export function readMoved(moved: Moved, { products, concepts, posts, problems }: Scope): Moved {
  const named = new Set([
    ...products.map(({ key }) => `product/${key}`),
    ...concepts.map(({ key }) => `concept/${key}`),
    ...posts.flatMap((post) => addressesOf(post)),
  ]);
  for (const [index, { from, to }] of moved.entries()) {
    const add = (side: 'from' | 'to', detail: string) => {
      problems.add({ code: 'invalid-move', detail, source: memberOf('#/moved', index, side) });
    };
    if (from.split('/')[0] !== to.split('/')[0]) {
      add('to', `"${from}" cannot become "${to}": a move keeps the kind of a node.`);
    } else if (!named.has(to) && !isNumbered(to)) {
      add('to', `This manifest has no "${to}". A move names the new address second.`);
    } else if (named.has(from)) {
      add('from', `This manifest still has "${from}". A move names the old address first.`);
    }
  }
  return moved;
}

/** A post stands for all its items; an item without a key goes by a number that only the state knows. */
function addressesOf({ key, instance, items }: Post): string[] {
  const post = instance === undefined ? `media/${key}` : `media/${key}/${instance}`;
  return [post, ...items.flatMap((item) => (item.key === undefined ? [] : [`${post}/${item.key}`]))];
}

function isNumbered(address: string): boolean {
  return /^media\/.+\/[0-9]+$/.test(address);
}
