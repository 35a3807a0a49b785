/** Makes the campaigns that are measured, the same ones in each run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { picture } from './picture.mjs';

/**
 * A campaign of batches in a new folder. Each concept has its share of the products and a post plan of
 * `requests ÷ concepts` batches; a batch is one media configuration of `posts` posts, which share the products.
 *
 * Nodes: a node for each photo, product, concept and request, and two for each post. Requests to the service: one for each
 * node, and one for the token.
 */
export function makeBatches(folder, size) {
  const { products, concepts = 5, requests, posts } = size;
  const batches = Array.from({ length: requests / concepts }, (_, n) => n).join(', ');
  const plans = Array.from({ length: concepts }, (_, concept) => [
    `  grid-${concept}:`,
    `    matrix: { batch: [${batches}] }`,
    `    concept: c${concept}`,
    '    items:',
    ...Array.from({ length: posts }, (__, post) => {
      const used = productsOf(post, { concept, products, concepts, posts }).map((n) => `p${n}`);
      return itemLine(post, { products: used.join(', '), text: 'Batch ${{ matrix.batch }}' });
    }),
  ]);
  return writeCampaign(folder, { ...size, concepts }, plans.flat());
}

/** Which products a post of a batch shows, by number: together the posts of a batch show all of their concept's. */
export function productsOf(post, { concept, products, concepts, posts }) {
  const share = products / concepts;
  const each = Math.ceil(share / posts);
  return Array.from({ length: each }, (_, n) => concept * share + ((post * each + n) % share));
}

/**
 * A campaign as people have it: every product in each of the concepts `shown` and in each of `batches`, with `posts` posts
 * of each. Nodes: products × (photos + 1 + shown × batches × (1 + 2 × posts)) + concepts.
 */
export function makeGrid(folder, size) {
  const { concepts = 5, shown = concepts, batches = 1, posts } = size;
  const plan = [
    '  grid:',
    `    matrix: { product: "*", concept: [${numbers(shown, 'c')}], batch: [${numbers(batches)}] }`,
    '    concept: ${{ matrix.concept }}',
    '    items:',
    ...Array.from({ length: posts }, (_, post) =>
      itemLine(post, { products: '"${{ matrix.product }}"', text: 'Batch ${{ matrix.batch }}' }),
    ),
  ];
  return writeCampaign(folder, { ...size, concepts }, plan);
}

function itemLine(post, { products, text }) {
  return `      - { key: i${post}, post_type: image, aspect_ratio: "1:1", products: [${products}], descriptions: ["${text}, post ${post}"] }`;
}

function writeCampaign(folder, size, plans) {
  const { products, photos = 1, concepts, photoBytes = 0, limits = {} } = size;
  let seed = 0;
  for (let product = 0; product < products; product++) {
    const place = join(folder, 'photos', `p${product}`);
    mkdirSync(place, { recursive: true });
    for (let n = 0; n < photos; n++) writeFileSync(join(place, `${n}.png`), picture(++seed, photoBytes));
  }
  const lines = [
    'version: 1',
    'name: bench',
    'product_folders: [photos/*]',
    'concepts:',
    ...Array.from({ length: concepts }, (_, n) => `  c${n}: { description: Concept ${n} }`),
    `limits: ${JSON.stringify({ media_in_flight: 1_000_000, ...limits })}`,
    'posts:',
    ...plans,
    '',
  ];
  const manifest = join(folder, 'campaign.yaml');
  writeFileSync(manifest, lines.join('\n'));
  return { ...size, folder, manifest };
}

function numbers(count, prefix = '') {
  return Array.from({ length: count }, (_, n) => `${prefix}${n}`).join(', ');
}
