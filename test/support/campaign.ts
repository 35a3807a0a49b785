/** Campaigns in a few words: what a test says of products, concepts and posts, as a graph. */
import { createHash } from 'node:crypto';
import { buildGraph } from '../../src/graph/build-graph.ts';
import type { ImageSource, Item, KeyOrId, ExpandedManifest } from '../../src/manifest/manifest.ts';
import type { Budget } from '../../src/model/budget.ts';
import type { Graph } from '../../src/model/graph.ts';
import type { HashedImage } from '../../src/model/payload.ts';
import { type Period, withPeriod } from '../../src/model/period.ts';
import type { JsonObject } from '../../src/util/json.ts';

/** `file=content`, or one word for both; an https URL stays one. */
type Photo = string;

export interface ProductWords {
  readonly photos?: readonly Photo[];
  readonly name?: string;
  readonly defaultName?: string;
  readonly description?: string;
  readonly variant?: string;
  readonly id?: string;
}

export interface ConceptWords {
  readonly refs?: readonly Photo[];
  readonly name?: string;
  readonly description?: string;
  readonly id?: string;
}

export interface ItemWords {
  readonly key?: string;
  readonly type?: 'image' | 'video' | 'carousel';
  readonly products?: readonly string[];
  /** Written url of each asset. */
  readonly urls?: readonly string[];
  readonly ratio?: string;
  readonly metadata?: JsonObject;
  readonly variants?: readonly string[];
  readonly descriptions?: readonly string[];
}

export interface PostWords {
  readonly formerInstance?: string;
  readonly concept?: string;
  readonly items: readonly ItemWords[];
  readonly numberOfPosts?: number;
  readonly regenerate?: 'never';
  /** Of a post plan with `every`; it becomes the last part of the path. */
  readonly period?: Period;
}

export interface CampaignWords {
  readonly products?: Readonly<Record<string, ProductWords>>;
  readonly concepts?: Readonly<Record<string, ConceptWords>>;
  /** By path: `hero` or `grid/morning+tote`. */
  readonly posts?: Readonly<Record<string, PostWords>>;
  readonly moved?: readonly { readonly from: string; readonly to: string }[];
  readonly budget?: Budget;
}

/** The SHA-256 of a photo that holds this word. */
export function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The address of a photo that holds this word. */
export function upload(content: string): string {
  return `upload/${sha256(content).slice(0, 16)}`;
}

const UUID = /^[0-9a-f]{8}-/i;

function keyOrId(word: string): KeyOrId {
  return UUID.test(word) ? { id: word } : { key: word };
}

function imageSources(photos: readonly Photo[], source: string): ImageSource[] {
  return photos.map((photo, index) => {
    const at = `${source}/${index}`;
    return photo.startsWith('https:') ? { url: photo, source: at } : { file: fileOf(photo), source: at };
  });
}

function fileOf(photo: Photo): string {
  return `photos/${photo.split('=')[0]}.jpg`;
}

function hashesOf(photos: readonly Photo[]): Map<string, HashedImage> {
  return new Map(
    photos.map((photo) => {
      const [file = '', content = file] = photo.split('=');
      const path = fileOf(photo);
      const image = { file: path, sha256: sha256(content), bytes: 1_500_000, contentType: 'image/jpeg' };
      return [path, image];
    }),
  );
}

/** The parts of an instance that are keys: `morning+tote` names a concept and a product. */
function kindsIn(instance: string, { products = {}, concepts = {} }: CampaignWords) {
  return instance.split('+').map((part) => {
    if (Object.hasOwn(products, part)) return 'product';
    return Object.hasOwn(concepts, part) ? 'concept' : undefined;
  });
}

function itemOf(words: ItemWords, source: string): Item {
  const { key, type = 'image', products = ['tote'], urls = [], ratio = '1:1', metadata } = words;
  return {
    ...(key === undefined ? {} : { key }),
    post_type: type,
    assets: products.map((product, index) => {
      const url = urls[index];
      return { type: 'product', product: keyOrId(product), ...(url === undefined ? {} : { url }) };
    }),
    variants: words.variants ?? [],
    descriptions: words.descriptions ?? [],
    metadata: { aspect_ratio: ratio, ...metadata },
    source,
  };
}

/** The checked manifest that the words stand for, and the contents of its photos. */
export function manifestOf(words: CampaignWords) {
  const products = Object.entries(words.products ?? {});
  const concepts = Object.entries(words.concepts ?? {});
  const photos = [
    ...products.flatMap(([, product]) => product.photos ?? []),
    ...concepts.flatMap(([, concept]) => concept.refs ?? []),
  ];
  const manifest: ExpandedManifest = {
    file: 'campaign.yaml',
    folder: '/campaign',
    outside: 'refuse',
    name: 'spring',
    environment: { name: 'emulator', baseUrl: 'emulator', gaps: {} },
    productSources: [],
    products: products.map(([key, { photos: images = [], name = key, variant = 'plain', ...rest }]) => {
      const source = `#/products/${key}`;
      return { key, name, variant, ...rest, images: imageSources(images, `${source}/images`), source };
    }),
    concepts: concepts.map(([key, { refs = [], name = key, ...rest }]) => {
      const source = `#/concepts/${key}`;
      return { key, name, ...rest, refImages: imageSources(refs, `${source}/ref_images`), source };
    }),
    posts: Object.entries(words.posts ?? {}).map(([base, post]) => {
      const { concept = 'morning', items, period, ...more } = post;
      const [key = '', instance] = withPeriod(base, period?.name).split('/');
      const source = `#/posts/${key}`;
      return {
        key,
        ...(instance === undefined ? {} : { instance, instanceOf: kindsIn(instance, words) }),
        ...(period === undefined ? {} : { period }),
        concept: keyOrId(concept),
        ...more,
        items: items.map((item, index) => itemOf(item, `${source}/items/${index}`)),
        source,
      };
    }),
    ...(words.moved ? { moved: words.moved } : {}),
    limits: { total: 8, perKind: {}, mediaInFlight: 200, mediaTimeoutMs: 1_800_000 },
    outputs: OUTPUTS,
    postPlans: Object.keys(words.posts ?? {}).map((path) => path.split('/')[0] ?? path),
    periods: [],
    locate: () => undefined,
  };
  return { manifest, hashes: hashesOf(photos) };
}

/** Where files go unless a test says otherwise. */
export const OUTPUTS = { dir: 'out', name: '{post}/{instance}/{item}-{post_type}' };

export function graphOf(words: CampaignWords): Graph {
  const { manifest, hashes } = manifestOf(words);
  return buildGraph(manifest, hashes);
}

/** A campaign as it is carried out. */
export function campaignOf(words: CampaignWords, limits: Partial<ExpandedManifest['limits']> = {}) {
  const { manifest, hashes } = manifestOf(words);
  return {
    manifest: {
      ...manifest,
      limits: { ...manifest.limits, ...limits },
      ...(words.budget && { budget: words.budget }),
    },
    graph: buildGraph(manifest, hashes),
    readAt: 0,
    today: { now: 0 },
    emulatorData: '',
  };
}

/** One product, one concept and one post with the given items; what most tests start from. */
export function heroOf(...items: readonly ItemWords[]) {
  return {
    products: { tote: { photos: ['front', 'side'], description: 'Canvas' } },
    concepts: { morning: { description: 'Soft light' } },
    posts: { hero: { items } },
  } satisfies CampaignWords;
}
