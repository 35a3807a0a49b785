/** What people do to a manifest over half a year. No key and no text comes twice, so that nothing may be bought twice. */
import { pick } from '../../src/emulator/pictures/seeded.ts';
import { periodOf } from '../../src/model/period.ts';
import type { CampaignWords, ItemWords, PostWords } from '../support/campaign.ts';
import { edited } from './seeded-edits.ts';

/** It is never removed: the posts of each week show it. */
const TOTE = /^tote(?:\.|$)/;

export const FIRST_WORDS: CampaignWords = {
  products: Object.fromEntries(['tote', 'mug', 'bag', 'cap'].map((key) => [key, { photos: [key] }])),
  concepts: { morning: { description: 'soft' }, night: { description: 'neon' } },
  posts: {
    hero: { items: [item('a', 'tote'), item('b', 'mug')] },
    side: { concept: 'night', items: [item('c', 'bag'), item('d', 'cap')] },
  },
};

function item(key: string, product: string): ItemWords {
  return { key, products: [product], descriptions: [`text ${key}`] };
}

/** With the posts of the present week. */
export function inWeek(words: CampaignWords, day: string): CampaignWords {
  const tote = Object.keys(words.products ?? {}).find((key) => TOTE.test(key));
  if (tote === undefined) return words;
  const weekly: PostWords = { period: periodOf('week', day), items: [item('w', tote)] };
  return { ...words, posts: { ...words.posts, weekly } };
}

/** What is left of a campaign when most of its product folders are gone: posts are made for what is there. */
export function unmounted(words: CampaignWords): CampaignWords {
  return withoutProducts(words, (key) => !key.startsWith('mug'));
}

export function editOnce(words: CampaignWords, random: () => number, mark: number): CampaignWords {
  const { products = {}, concepts = {}, posts = {} } = words;
  const one = (keys: readonly string[]) => keys[Math.floor(random() * keys.length)] ?? '';
  const product = one(Object.keys(products));
  const concept = one(Object.keys(concepts));
  const post = one(Object.keys(posts));
  const key = one((posts[post]?.items ?? []).map((each) => each.key ?? ''));
  const as = `text ${mark}`;
  const fresh = item(`i${mark}`, product);
  // One request for both, which keeps all that it shows.
  const other = item(`j${mark}`, one(Object.keys(products)));
  const renamed = (name: string) => `${name.replace(/\.r\d+$/, '')}.r${mark}`;
  const removal = () =>
    Object.keys(products).length > 4 && !TOTE.test(product)
      ? withoutProducts(words, (each) => each === product)
      : words;
  return pick<() => CampaignWords>(random, [
    () => edited(words, { type: 'rename-product', key: product, to: renamed(product) }),
    () => edited(words, { type: 'rename-post', key: post, to: renamed(post) }),
    () => edited(words, { type: 'describe-product', key: product, as }),
    () => edited(words, { type: 'describe-concept', key: concept, as }),
    () => edited(words, { type: 'describe-item', post, item: key, as }),
    () => edited(words, { type: 'describe-item', post, item: key, as }),
    () => edited(words, { type: 'add-item', post, item: fresh }),
    () => edited(words, { type: 'remove-item', post, item: key }),
    () => edited(words, { type: 'add-post', key: `p${mark}`, post: { concept, items: [fresh, other] } }),
    () => (Object.keys(posts).length > 2 ? edited(words, { type: 'remove-post', key: post }) : words),
    () => ({ ...words, products: { ...products, [`n${mark}`]: { photos: [`n${mark}`] } } }),
    () => ({ ...words, concepts: { ...concepts, [`c${mark}`]: { description: as } } }),
    removal,
    removal,
    () => (Object.keys(concepts).length > 2 ? withoutConcept(words, concept) : words),
  ])();
}

function withoutProducts(words: CampaignWords, isGone: (key: string) => boolean): CampaignWords {
  const products = Object.fromEntries(Object.entries(words.products ?? {}).filter(([key]) => !isGone(key)));
  const posts = Object.entries(words.posts ?? {}).flatMap(([path, post]) => {
    const items = post.items.filter((each) => each.products?.every((key) => key in products) ?? true);
    return items.length ? [[path, { ...post, items }]] : [];
  });
  return { ...words, products, posts: Object.fromEntries(posts) as Record<string, PostWords> };
}

function withoutConcept(words: CampaignWords, gone: string): CampaignWords {
  const { concepts = {}, posts = {} } = words;
  const left = Object.entries(posts).filter(([, { concept = 'morning' }]) => concept !== gone);
  // The posts of each week are in the first one.
  if (gone === 'morning' || left.length < 2) return words;
  return {
    ...words,
    concepts: Object.fromEntries(Object.entries(concepts).filter(([key]) => key !== gone)),
    posts: Object.fromEntries(left),
  };
}
