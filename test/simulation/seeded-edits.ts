import type { CampaignWords, ItemWords, PostWords } from '../support/campaign.ts';

/** What a person does to a manifest between two runs; plain data. An edit of what is not there does nothing. */
export type Edit =
  | { readonly type: 'rename-product' | 'rename-post'; readonly key: string; readonly to: string }
  | { readonly type: 'describe-product' | 'describe-concept'; readonly key: string; readonly as: string }
  | { readonly type: 'describe-item'; readonly post: string; readonly item: string; readonly as: string }
  | { readonly type: 'remove-item'; readonly post: string; readonly item: string }
  | { readonly type: 'add-item'; readonly post: string; readonly item: ItemWords }
  | { readonly type: 'remove-post'; readonly key: string }
  | { readonly type: 'add-post'; readonly key: string; readonly post: PostWords };

/** The words after an edit. */
export function edited(words: CampaignWords, edit: Edit): CampaignWords {
  const { products = {}, concepts = {}, posts = {}, moved = [] } = words;
  switch (edit.type) {
    case 'rename-product': {
      if (!products[edit.key]) return words;
      const follow = (item: ItemWords): ItemWords => ({
        ...item,
        products: (item.products ?? []).map((key) => (key === edit.key ? edit.to : key)),
      });
      return {
        ...words,
        products: renamed(products, edit),
        posts: mapValues(posts, (post) => ({ ...post, items: post.items.map(follow) })),
        moved: [...moved, { from: `product/${edit.key}`, to: `product/${edit.to}` }],
      };
    }
    case 'rename-post':
      if (!posts[edit.key]) return words;
      return {
        ...words,
        posts: renamed(posts, edit),
        moved: [...moved, { from: `media/${edit.key}`, to: `media/${edit.to}` }],
      };
    case 'describe-product':
      return { ...words, products: changed(products, edit.key, (one) => ({ ...one, description: edit.as })) };
    case 'describe-concept':
      return { ...words, concepts: changed(concepts, edit.key, (one) => ({ ...one, description: edit.as })) };
    case 'describe-item':
      return withItems(words, edit.post, (items) =>
        items.map((item) => (item.key === edit.item ? { ...item, descriptions: [edit.as] } : item)),
      );
    case 'remove-item':
      return withItems(words, edit.post, (items) => items.filter(({ key }) => key !== edit.item));
    case 'add-item':
      return withItems(words, edit.post, (items) => [...items, edit.item]);
    case 'remove-post':
      return {
        ...words,
        posts: Object.fromEntries(Object.entries(posts).filter(([key]) => key !== edit.key)),
      };
    case 'add-post':
      return { ...words, posts: { ...posts, [edit.key]: edit.post } };
  }
}

type Keyed<T> = Readonly<Record<string, T>>;

function renamed<T>(all: Keyed<T>, { key, to }: { key: string; to: string }): Keyed<T> {
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name === key ? to : name, one]));
}

function changed<T>(all: Keyed<T>, key: string, change: (one: T) => T): Keyed<T> {
  return mapValues(all, (one, name) => (name === key ? change(one) : one));
}

function mapValues<T>(all: Keyed<T>, change: (one: T, name: string) => T): Keyed<T> {
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, change(one, name)]));
}

/** A post keeps at least one item. */
function withItems(
  words: CampaignWords,
  post: string,
  change: (items: readonly ItemWords[]) => readonly ItemWords[],
): CampaignWords {
  const posts = changed(words.posts ?? {}, post, (one) => {
    const items = change(one.items);
    return items.length > 0 ? { ...one, items } : one;
  });
  return { ...words, posts };
}
