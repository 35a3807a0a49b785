import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ItemPayload, RequestedItem } from '../../src/model/payload.ts';
import { matchCreatedItems, sentItem, type SentItem } from '../../src/steps/match-created-items.ts';
import type { Json, JsonObject } from '../../src/util/json.ts';

const BLANK: ItemPayload = {
  post_type: 'image',
  assets: [],
  variants: [],
  descriptions: [],
  metadata: { aspect_ratio: '1:1' },
};

function sent(name: string, fields: Partial<ItemPayload> = {}): SentItem {
  const item: RequestedItem = { item: name, fingerprint: name, inputs: {}, payload: { ...BLANK, ...fields } };
  return sentItem(item, (product) => ({
    id: 'id' in product ? product.id : product.address,
    url: 'https://cdn/1',
  }));
}

function made(id: string, fields: JsonObject = {}) {
  return { id, ...fields };
}

/** Ids of the created items by the names of ours. */
function idsOf(
  ours: readonly SentItem[],
  theirs: Parameters<typeof matchCreatedItems>[1],
): Record<string, string> {
  const { items } = matchCreatedItems(ours, theirs, 9);
  return Object.fromEntries(Object.entries(items).map(([name, { id }]) => [name, id]));
}

const CAT = sent('cat', { descriptions: ['a cat'] });
const DOG = sent('dog', { descriptions: ['a dog'] });
const RIGHT = { cat: 'c', dog: 'd' };

describe('an answer in another order is matched by what it repeats', () => {
  it.each<[string, (text: string) => Json]>([
    ['a list of objects', (text) => [{ description: text }]],
    ['objects with more fields', (text) => [{ id: 7, description: text, language: 'en' }]],
    ['a list of texts', (text) => [text]],
    ['a text', (text) => text],
    ['an object', (text) => ({ description: text })],
    ['JSON in a text', (text) => JSON.stringify([{ description: text }])],
    ['JSON in a text in JSON', (text) => JSON.stringify(JSON.stringify([text]))],
    ['texts of JSON in a list', (text) => [JSON.stringify({ description: text })]],
    ['other spaces', (text) => [`  ${text.replace(' ', ' \n')} `]],
  ])('descriptions as %s', (_, shape) => {
    const theirs = [made('d', { descriptions: shape('a dog') }), made('c', { descriptions: shape('a cat') })];
    expect(idsOf([CAT, DOG], theirs)).toEqual(RIGHT);
  });

  it.each<[string, (id: string) => Json]>([
    ['the form that was sent', (id) => [{ type: 'product', product_id: id, url: 'https://cdn/1' }]],
    ['the form without url', (id) => [{ type: 'product', product_id: id }]],
    [
      'records with signed urls and more',
      (id) => [{ id: 3, product_id: id, url: `https://cdn/1?s=${id}`, order: 0 }],
    ],
    ['ids', (id) => [id]],
    ['one id', (id) => id],
    ['records that hold the product', (id) => [{ product: { id, name: 'x' } }]],
    ['records that hold its id', (id) => [{ product: id }]],
    ['JSON in a text', (id) => JSON.stringify([{ product_id: id }])],
  ])('assets as %s', (_, shape) => {
    const ours = [
      sent('cat', { assets: [{ type: 'product', product: { id: 'p-cat' } }] }),
      sent('dog', { assets: [{ type: 'product', product: { address: 'p-dog' } }] }),
    ];
    const theirs = [made('d', { assets: shape('p-dog') }), made('c', { assets: shape('p-cat') })];
    expect(idsOf(ours, theirs)).toEqual(RIGHT);
  });

  it('assets of one product by their urls, in records or alone', () => {
    const asset = (url: string) => ({ assets: [{ type: 'product', product: { id: 'p' }, url }] });
    const ours = [sent('cat', asset('https://cdn/cat')), sent('dog', asset('https://cdn/dog'))];
    const theirs = (shape: (url: string) => Json) => [
      made('d', { assets: shape('https://cdn/dog') }),
      made('c', { assets: shape('https://cdn/cat') }),
    ];
    expect(
      idsOf(
        ours,
        theirs((url) => [{ product_id: 'p', url }]),
      ),
    ).toEqual(RIGHT);
    expect(
      idsOf(
        ours,
        theirs((url) => [url]),
      ),
    ).toEqual(RIGHT);
  });

  it.each<[string, (ratio: string) => Json]>([
    ['an object', (ratio) => ({ aspect_ratio: ratio, seed: 4 })],
    ['JSON in a text', (ratio) => JSON.stringify({ aspect_ratio: ratio })],
    ['the ratio alone', (ratio) => ratio],
  ])('metadata as %s', (_, shape) => {
    const ours = [sent('cat'), sent('dog', { metadata: { aspect_ratio: '4:5' } })];
    const theirs = [made('d', { metadata: shape('4:5') }), made('c', { metadata: shape('1:1') })];
    expect(idsOf(ours, theirs)).toEqual(RIGHT);
  });

  it('other metadata, also as numbers in texts', () => {
    const seeded = (seed: number) => ({ metadata: { aspect_ratio: '1:1', seed } });
    const ours = [sent('cat', seeded(1)), sent('dog', seeded(2))];
    expect(
      idsOf(ours, [made('d', { metadata: { seed: '2' } }), made('c', { metadata: { seed: '1' } })]),
    ).toEqual(RIGHT);
  });

  it('variants and post type', () => {
    const ours = [sent('cat', { variants: ['clean'] }), sent('dog', { post_type: 'video' }), sent('bird')];
    const theirs = [
      made('b', { post_type: 'image', variants: [] }),
      made('d', { post_type: 'Video' }),
      made('c', { post_type: 'image', variants: ['clean'] }),
    ];
    expect(idsOf(ours, theirs)).toEqual({ ...RIGHT, bird: 'b' });
  });

  it('items that differ in spaces alone, where they come back as they are', () => {
    const ours = [sent('cat', { descriptions: ['x'] }), sent('dog', { descriptions: ['x '] })];
    const theirs = [
      made('d', { descriptions: [{ description: 'x ' }] }),
      made('c', { descriptions: [{ description: 'x' }] }),
    ];
    expect(idsOf(ours, theirs)).toEqual(RIGHT);
  });
});

describe('what an answer does not say', () => {
  it('is by order: equal items, no fields, and forms that cannot be read', () => {
    const none = [made('c'), made('d', { assets: null, metadata: 'square', descriptions: 7, post_type: 1 })];
    expect(idsOf([CAT, DOG], none)).toEqual(RIGHT);
    const equal = [made('c', { descriptions: ['a cat'] }), made('d', { descriptions: ['a cat'] })];
    expect(idsOf([CAT, { ...CAT, name: 'dog' }], equal)).toEqual(RIGHT);
    const lists = [made('c', { descriptions: [null], assets: [[{}]] }), made('d', { descriptions: '' })];
    expect(idsOf([CAT, DOG], lists)).toEqual(RIGHT);
  });

  it('does not hide what it says: values that the service changed count for nothing', () => {
    const ours = [sent('cat'), sent('dog', { metadata: { aspect_ratio: '4:5' }, descriptions: ['a dog'] })];
    const theirs = [
      made('d', {
        descriptions: ['A dog, in soft light'],
        metadata: { aspect_ratio: '4:5' },
        post_type: 'reel',
      }),
      made('c', { descriptions: ['Something'], metadata: { aspect_ratio: '1:1' }, post_type: 'reel' }),
    ];
    expect(idsOf(ours, theirs)).toEqual(RIGHT);
  });

  it('may be said by one item alone, and by an empty list', () => {
    const ours = [sent('cat'), DOG];
    expect(idsOf(ours, [made('d', { descriptions: ['a dog'] }), made('c')])).toEqual(RIGHT);
    expect(idsOf(ours, [made('d'), made('c', { descriptions: [] })])).toEqual(RIGHT);
    const empty = [
      made('d', { descriptions: [], metadata: { aspect_ratio: '4:5' } }),
      made('c', { descriptions: [] }),
    ];
    const wide = { ...DOG, body: { ...DOG.body, metadata: { aspect_ratio: '4:5' } } };
    expect(idsOf([CAT, wide], empty)).toEqual(RIGHT);
  });

  it('holds a first guess back where another item would be left without', () => {
    const ours = [
      sent('square', { descriptions: ['cat'] }),
      sent('tall', { descriptions: ['cat'], metadata: { aspect_ratio: '4:5' } }),
      sent('dog', { descriptions: ['dog'] }),
    ];
    const theirs = [
      made('dog', { metadata: { aspect_ratio: '1:1' } }),
      made('square', { descriptions: ['cat'] }),
      made('tall', { metadata: { aspect_ratio: '4:5' } }),
    ];
    expect(idsOf(ours, theirs)).toEqual({ square: 'square', tall: 'tall', dog: 'dog' });
  });
});

describe('another number of items than was sent', () => {
  it('fewer: those that nothing came back for were not made', () => {
    const theirs = [made('d', { descriptions: ['a dog'] })];
    expect(matchCreatedItems([CAT, DOG], theirs, 3)).toEqual({ items: { dog: theirs[0] }, surplus: [] });
    expect(idsOf([CAT, DOG], [made('x')])).toEqual({ cat: 'x' });
  });

  it('fewer and of another kind: nothing takes the place of what is missing', () => {
    const bird = sent('bird', { descriptions: ['a bird'] });
    const theirs = [made('1', { descriptions: ['a cat'] }), made('2', { descriptions: ['a cat'] })];
    expect(matchCreatedItems([CAT, DOG, bird], theirs, 4)).toEqual({
      items: { cat: theirs[0], 4: theirs[1] },
      surplus: ['4'],
    });
  });

  it('more: the others are numbered after the last, in the order in which they came', () => {
    const theirs = ['a dog', 'a dog', 'a cat', 'a cat'].map((text, index) =>
      made(String(index), { descriptions: [text] }),
    );
    expect(matchCreatedItems([CAT, DOG], theirs, 7)).toEqual({
      items: { cat: theirs[2], dog: theirs[0], 7: theirs[1], 8: theirs[3] },
      surplus: ['7', '8'],
    });
  });

  it('as many, and one of them twice: each was made for one of ours', () => {
    const theirs = [made('1', { descriptions: ['a cat'] }), made('2', { descriptions: ['a cat'] })];
    expect(idsOf([DOG, CAT], theirs)).toEqual({ dog: '2', cat: '1' });
  });

  it('as many, and what fits nowhere still goes where it agrees most', () => {
    const wide = (name: string, text: string) =>
      sent(name, { descriptions: [text], metadata: { aspect_ratio: '16:9' } });
    const ours = [sent('first', { descriptions: ['one'] }), wide('cat', 'a cat'), wide('dog', 'a dog')];
    // The service makes everything square.
    const theirs = ['a dog', 'a cat', 'one'].map((text) =>
      made(text, { descriptions: [text], metadata: { aspect_ratio: '1:1' } }),
    );
    expect(idsOf(ours, theirs)).toEqual({ first: 'one', cat: 'a cat', dog: 'a dog' });
  });
});

const word = fc.constantFrom('cat', 'dog', ' dog', '"dog"', '["dog"]', '', 'Hund');
const payload = fc.record({
  post_type: fc.constantFrom('image', 'video', 'carousel'),
  assets: fc.array(
    fc.record(
      { type: fc.constant('product'), product: fc.record({ id: word }), url: word },
      { requiredKeys: ['type', 'product'] },
    ),
    { maxLength: 2 },
  ),
  variants: fc.array(word, { maxLength: 2 }),
  descriptions: fc.array(word, { maxLength: 2 }),
  metadata: fc.record(
    { aspect_ratio: fc.constantFrom('1:1', '4:5'), seed: fc.integer({ max: 3, min: 0 }) },
    { requiredKeys: ['aspect_ratio'] },
  ),
});

it('gives every item its own, or its equal, whatever the order of an answer that repeats the same fields of each', () => {
  const repeated = fc.subarray(['post_type', 'assets', 'variants', 'descriptions', 'metadata'], {
    minLength: 1,
  });
  const asked = fc
    .array(payload, { minLength: 1, maxLength: 12 })
    .chain((items) =>
      fc.tuple(
        fc.constant(items),
        fc.shuffledSubarray([...items.keys()], { minLength: items.length }),
        repeated,
      ),
    );
  fc.assert(
    fc.property(asked, ([items, order, fields]) => {
      const ours = items.map((item, index) => sent(String(index), item as ItemPayload));
      const echo = (index: number): JsonObject =>
        Object.fromEntries(fields.map((field) => [field, ours[index]?.body[field]]));
      const theirs = order.map((index) => made(String(index), echo(index)));
      const { items: matched, surplus } = matchCreatedItems(ours, theirs, 99);
      expect(surplus).toEqual([]);
      for (const [index] of items.entries()) {
        const { id: _, ...own } = matched[String(index)] ?? { id: 'none' };
        expect(own).toEqual(echo(index));
      }
    }),
    { numRuns: 500 },
  );
});

it('pairs a thousand items that say all, or nothing', () => {
  const ours = [...Array(1000).keys()].map((index) =>
    sent(String(index), { descriptions: [`picture ${index}`] }),
  );
  const theirs = ours.map(({ name, body }) => made(name, body)).reverse();
  const right = Object.fromEntries(ours.map(({ name }) => [name, name]));
  expect(idsOf(ours, theirs)).toEqual(right);
  expect(
    idsOf(
      ours,
      theirs.map(({ id }) => made(String(999 - Number(id)))),
    ),
  ).toEqual(right);
});
