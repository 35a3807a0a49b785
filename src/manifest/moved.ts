import { postAddress } from '../model/address.ts';
import { kindOf, objectAddress } from '../model/kinds.ts';
import { withoutPeriod } from '../model/period.ts';
import { memberOf } from '../model/source.ts';
import type { ExpandedManifest, Post } from './manifest.ts';
import type { Problems } from '../document/problems.ts';

type Moved = NonNullable<ExpandedManifest['moved']>;

interface Scope extends Pick<ExpandedManifest, 'products' | 'concepts' | 'posts'> {
  readonly problems: Problems;
}

/** The renames of a manifest: both addresses have one kind, the manifest names the new one and not the old one. */
export function readMoved(moved: Moved, scope: Scope): Moved {
  const { products, concepts, posts, problems } = scope;
  const named = new Set([
    ...products.map(({ key }) => objectAddress('product', key)),
    ...concepts.map(({ key }) => objectAddress('concept', key)),
    ...posts.flatMap((post) => addressesOf(post)),
  ]);
  // Entries with errors are missing in these lists, although the manifest names them.
  if (['products', 'concepts', 'posts'].some((key) => problems.isBroken(`#/${key}`))) return moved;
  for (const [index, { from, to }] of moved.entries()) {
    const add = (side: 'from' | 'to', detail: string) => {
      problems.add({ code: 'invalid-move', detail, source: memberOf('#/moved', index, side) });
    };
    if (kindOf(from) !== kindOf(to)) {
      const kinds = 'the two are things of different kinds. Begin both with the same word.';
      add('to', `"${from}" cannot become "${to}": ${kinds}`);
    } else if (!named.has(to) && !isNumbered(to)) {
      const hint =
        problems.didYouMean(to, () => named) || ' Write the new address as `campaign plan` shows it.';
      add('to', `There is no "${to}" in this manifest.${hint}`);
    } else if (moved.slice(0, index).some((other) => other.from === from || other.to === to)) {
      const earlier = 'stands in an earlier move already. Each address leaves, and is reached, once.';
      add('from', `"${from}" or "${to}" ${earlier}`);
    } else if (named.has(from)) {
      const still = 'is still in this manifest, so it was not renamed.';
      add('from', `"${from}" ${still} Write the old address here, or remove this move.`);
    }
  }
  return moved;
}

/**
 * The address of a post stands for all its items, and those of a post plan with `every` for all periods. An item
 * without a key has a number, which only the state knows.
 */
function addressesOf(written: Post): string[] {
  const post = addressIn(written);
  const { items } = written;
  return [post, ...items.flatMap((item) => (item.key === undefined ? [] : [`${post}/${item.key}`]))];
}

/** Without its period. */
function addressIn({ key, period, instance }: Post): string {
  const path = instance === undefined ? key : `${key}/${instance}`;
  return postAddress(withoutPeriod(path, period?.name));
}

function isNumbered(address: string): boolean {
  return /^media\/.+\/[0-9]+$/.test(address);
}
