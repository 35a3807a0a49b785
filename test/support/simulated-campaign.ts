import type { CampaignWords } from './campaign.ts';

/** A campaign of so many posts, with two photos a product, 25 posts a product, 200 posts a concept. */
export function campaignOf({ posts, perRequest }: { posts: number; perRequest: number }): CampaignWords {
  const products = Math.max(1, Math.ceil(posts / 25));
  const concepts = Math.max(1, Math.ceil(posts / 200));
  const requests = Math.ceil(posts / perRequest);
  return {
    products: Object.fromEntries(
      Array.from({ length: products }, (_, index) => [
        `p${index}`,
        { photos: [`front${index}`, `side${index}`] },
      ]),
    ),
    concepts: Object.fromEntries(
      Array.from({ length: concepts }, (_, index) => [`c${index}`, { description: `mood ${index}` }]),
    ),
    posts: Object.fromEntries(
      Array.from({ length: requests }, (_, index) => [
        `post${index}`,
        {
          concept: `c${index % concepts}`,
          items: Array.from({ length: perRequest }, (__, item) => ({
            key: `i${item}`,
            products: [`p${index % products}`],
            descriptions: [`${index}/${item}`],
          })),
        },
      ]),
    ),
  };
}
