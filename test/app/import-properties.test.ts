/** Whatever form a service answers in: what it has as the manifest says is adopted, and nothing is made or requested anew. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readImportedProduct, type ProductNode } from '../../src/app/import-product.ts';
import { readImportedRequest } from '../../src/app/import-request.ts';
import type { FoldState } from '../../src/log/fold-state.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { matchState } from '../../src/match/match-state.ts';
import type { Client } from '../../src/service/client.ts';
import { createEndpoints } from '../../src/service/endpoints.ts';
import { serviceError } from '../../src/service/service-error.ts';
import { sentItem } from '../../src/steps/match-created-items.ts';
import { isJsonArray, type Json, type JsonObject, textOf } from '../../src/util/json.ts';
import { err, ok } from '../../src/util/result.ts';
import { type CampaignWords, graphOf, type ProductWords, sha256, upload } from '../support/campaign.ts';
import { after, AT, listed, planOf, stateAfter } from '../support/play-plan.ts';

const ID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
const SEEDED = { numRuns: 200, seed: 20_260_101 };

/** A service that answers every request with this, and has photos at links that end with their names. */
function clientOf(data: Json): Client {
  const endpoints = createEndpoints(async ({ method, path }, read) => {
    const came = { data, whole: data };
    const value = read({
      status: 200,
      ...came,
      raw: came,
      askedAt: 'https://visuals.example.com/api/',
      servedAt: 0,
      quote: () => '',
    });
    const bad = { came: 'unusable', status: 200 } as const;
    return value.ok
      ? value
      : err(serviceError({ ...bad, request: `${method} ${path}`, detail: value.error }));
  });
  return {
    ...endpoints,
    download: ({ url }) =>
      Promise.resolve(
        ok({
          bytes: 1,
          sha256: sha256(new URL(url).pathname.slice(1)),
          contentType: 'image/png',
          isEndTold: true,
        }),
      ),
    getAuthToken: () => Promise.reject(new Error('no token is needed')),
    uploadMedia: () => Promise.reject(new Error('nothing is uploaded')),
    redact: (text) => text,
    woke: () => {},
    allow: () => {},
    close: () => {},
  };
}

const NOTHING = [undefined, null, ''] as const;

/** A field that an answer may leave out, or leave empty. */
const perhaps = (value: Json) => fc.constantFrom<(Json | undefined)[]>(value, ...NOTHING);

function withoutAbsent(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const asText = (value: Json) => JSON.stringify(value);

const IMAGE_LISTS: readonly ((urls: readonly string[]) => Json)[] = [
  (urls) => [...urls],
  (urls) => urls.map((url) => ({ type: 'image', url })),
  (urls) => urls.map((url, index) => ({ id: index, order: index, media: { url } })),
  (urls) => asText([...urls]),
  (urls) => asText(urls.map((url) => ({ url, type: 'image' }))),
  (urls) => urls.map((url) => asText({ url })),
  (urls) => urls.join(','),
  (urls) => urls.join('\n'),
];

const URLS = ['https://cdn.example/1.jpg', 'https://cdn.example/2.jpg?size=big'];

/** A product in the words of a manifest, and an answer that says the same. */
const product = fc
  .record({
    photos: fc.uniqueArray(fc.constantFrom('front', 'side', ...URLS), { minLength: 1 }),
    description: fc.constantFrom(undefined, '', 'Canvas', 'Für Käse: "rund" & weich'),
    // Written, that of a folder, or the key.
    naming: fc.constantFrom({ name: 'Tote bag' }, { defaultName: 'Tüte' }, {}),
    variant: fc.constantFrom('plain', 'product_with_label'),
  })
  .chain(({ photos, description, naming, variant }) => {
    const tote = { photos, variant, ...naming, ...(description !== undefined && { description }) };
    const { name, defaultName }: ProductWords = naming;
    return fc.record({
      words: fc.constant<CampaignWords>({ products: { tote } }),
      photos: fc.constant(photos),
      areKnown: fc.boolean(),
      query: fc.constantFrom('', '?X-Amz-Signature=0f'),
      list: fc.constantFrom(...IMAGE_LISTS),
      fields: fc.record({
        id: fc.constantFrom(ID, ID.toUpperCase()),
        name: perhaps(name ?? defaultName ?? 'tote'),
        description: description ? fc.constant(description) : fc.constantFrom(...NOTHING),
        variant: perhaps(variant),
        updated_at: perhaps('2026-11-22T10:00:00Z'),
        owner: perhaps('studio'),
      }),
    });
  });

it('a product that is as the manifest says is adopted, and nothing is planned', async () => {
  await fc.assert(
    fc.asyncProperty(product, async ({ words, photos, areKnown, query, list, fields }) => {
      const graph = graphOf(words);
      const before = areKnown ? withUploads(photos) : stateAfter({});
      const links = photos.map((photo) => (isUrl(photo) ? photo : `${linkOf(photo, areKnown)}${query}`));
      const answer = withoutAbsent({ ...fields, media_urls: list(links) });
      const node = graph.objects.get('product/tote') as ProductNode;
      const found = await readImportedProduct(ID, { product: node, state: before }, clientOf(answer));
      if (!found.ok) throw new Error(JSON.stringify(found.error));
      const state = after(before, { type: 'imported', at: AT, address: 'product/tote', ...found.value });
      expect(listed(planOf(words, state))).toEqual([]);
    }),
    SEEDED,
  );
});

const isUrl = (photo: string) => photo.startsWith('https:');

/** Where a photo lies: where this state has put it, or where the service has its own copy. */
function linkOf(photo: string, areKnown: boolean): string {
  return areKnown ? `https://files.example/${upload(photo)}` : `https://copies.example/${photo}`;
}

function withUploads(photos: readonly string[]): FoldState {
  const uploads = photos
    .filter((photo) => !isUrl(photo))
    .map((photo): StateEvent => {
      const inputs = { sha256: sha256(photo) };
      const result = { url: linkOf(photo, true) };
      return { type: 'uploaded', at: AT, address: upload(photo), inputs, fingerprint: 'f', result };
    });
  return after(stateAfter({}), ...uploads);
}

const item = fc.record({
  type: fc.constantFrom<'image' | 'carousel' | 'video'>('image', 'carousel', 'video'),
  ratio: fc.constantFrom('1:1', '9:16'),
  products: fc.subarray(['tote', 'mug'], { minLength: 1 }),
  descriptions: fc.constantFrom([], ['a cat'], ['a dog', 'a "cat"']),
  variants: fc.constantFrom([], ['clean']),
});

type Shape = (list: Json) => Json | undefined;

const ANY: readonly Shape[] = [(list) => list, asText, () => undefined];
/** Each element in another form. */
const each =
  (shape: (element: JsonObject) => Json): Shape =>
  (list) =>
    isJsonArray(list) ? list.map((element) => shape(element as JsonObject)) : list;
const ASSETS: readonly Shape[] = [
  ...ANY,
  each(({ product_id: id = '' }) => id),
  each(({ product_id: id = '' }) => ({ order: 1, product: { id, name: 'A product' } })),
  each((asset) => ({ ...asset, url: 'https://files.example/1.jpg?X-Amz-Signature=0f' })),
];
const DESCRIPTIONS: readonly Shape[] = [
  ...ANY,
  each(({ description = '' }) => description),
  each((text) => ({ ...text, language: 'en' })),
];

const request = fc.array(item, { minLength: 1, maxLength: 5 }).chain((items) =>
  fc.record({
    words: fc.constant<CampaignWords>({
      products: { tote: { photos: ['front'] }, mug: { photos: ['side'] } },
      concepts: { morning: { description: 'Soft' } },
      posts: { hero: { items: items.map((words, index) => ({ ...words, key: `k${index}` })) } },
    }),
    order: fc.shuffledSubarray([...items.keys()], { minLength: items.length }),
    surplus: fc.integer({ min: 0, max: 2 }),
    /** How each field of the items is told, the same in all of them. */
    shapes: fc.record({
      assets: fc.constantFrom(...ASSETS),
      descriptions: fc.constantFrom(...DESCRIPTIONS),
      variants: fc.constantFrom(...ANY),
      metadata: fc.constantFrom(...ANY),
      post_type: fc.constantFrom<Shape[]>(
        (type) => type,
        (type) => textOf(type).toUpperCase(),
      ),
    }),
    concept: fc.constantFrom<((id: string) => Json | undefined)[]>(
      (id) => id,
      (id) => ({ id, name: 'Morning' }),
      () => undefined,
    ),
    count: fc.constantFrom<((made: number) => Json | undefined)[]>(
      (made) => made,
      (made) => String(made),
      () => undefined,
    ),
  }),
);

it('a request of all that the manifest asks for is adopted, and only polled', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ words, order, surplus, shapes, concept, count }) => {
      const { posts: _, ...objects } = words;
      const before = stateAfter(objects);
      const [post] = matchState(graphOf(words), before).posts;
      if (!post) throw new Error('no post');
      const sent = post.items.map(({ name, item: { payload, inputs, fingerprint } }) =>
        sentItem({ item: name, payload, inputs, fingerprint }, (ref) => ({
          id: 'id' in ref ? ref.id : `id of ${ref.address}`,
        })),
      );
      const told = order.map((index) => sent[index]?.body ?? {});
      const more = Array.from(
        { length: surplus },
        (): JsonObject => ({ post_type: 'image', descriptions: ['more'] }),
      );
      const made = [...told, ...more].map((body, index) => {
        const shaped = Object.entries(shapes).map(([field, shape]) => [field, shape(body[field] ?? [])]);
        return withoutAbsent({ ...body, ...Object.fromEntries(shaped), id: `m-${index}` });
      });
      const answer = withoutAbsent({
        id: 'c-1',
        content_pillar: concept('id of concept/morning'),
        number_of_posts: count(made.length),
        items: made,
      });
      const asked = { post, n: 1, state: before, template: undefined, locate: () => undefined };
      const found = await readImportedRequest('c-1', asked, clientOf(answer));
      if (!found.ok) throw new Error(JSON.stringify(found.error));
      const { request: payload, result } = found.value;
      const meaning = { inputs: {}, fingerprint: '' };
      const address = 'media-config/hero@1';
      const event = { type: 'imported', at: AT, address, ...meaning, request: payload, result } as const;
      const plan = planOf(words, after(before, event));
      const nodes = listed(plan).filter(({ kind }) => kind !== 'download');
      expect(new Set(nodes.map(({ kind, action }) => `${kind} ${action}`))).toEqual(
        new Set(['media resume']),
      );
      expect([plan.newPosts, nodes.length]).toEqual([0, made.length]);
    }),
    SEEDED,
  );
});
