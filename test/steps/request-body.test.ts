import { describe, expect, it } from 'vitest';
import type { ItemPayload, ObjectRef, RequestPayload } from '../../src/model/payload.ts';
import { productsWithoutUrl, requestBody } from '../../src/steps/request-body.ts';
import { requestNode } from '../support/planned-nodes.ts';
import { createLinks } from '../../src/steps/links.ts';
import { jobOf } from './step-rig.ts';

const TOTE: ObjectRef = { address: 'product/tote' };
const links = createLinks((text) => text);
const job = jobOf(requestNode('hero'), {
  results: {
    'product/tote': { id: 'p-1', url: 'https://files/tote.jpg' },
    'product/bare': { id: 'p-2' },
    'concept/morning': { id: 'k-1' },
  },
});

const known = { job, io: { links } };

function request(
  item: Partial<ItemPayload>,
  concept: ObjectRef = { address: 'concept/morning' },
): RequestPayload {
  const payload: ItemPayload = {
    post_type: 'image',
    assets: [{ type: 'product', product: TOTE }],
    variants: [],
    descriptions: [],
    metadata: { aspect_ratio: '1:1' },
    ...item,
  };
  const items = [{ item: '1', fingerprint: 'f', inputs: {}, payload }];
  return { post: 'hero', n: 1, concept, numberOfPosts: 3, items, nextItem: 2 };
}

const NO_URLS: ReadonlyMap<string, string> = new Map();

describe('the schema form', () => {
  it("has every field, and the product's first image as url", () => {
    expect(requestBody(request({}), known, { form: 'schema', urls: NO_URLS })).toEqual({
      content_pillar: 'k-1',
      number_of_posts: 3,
      items: [
        {
          post_type: 'image',
          assets: [{ type: 'product', product_id: 'p-1', url: 'https://files/tote.jpg' }],
          variants: [],
          descriptions: [],
          metadata: { aspect_ratio: '1:1' },
        },
      ],
    });
  });

  it('sends a written url, descriptions as objects, metadata as it is', () => {
    const item = {
      assets: [{ type: 'model', product: TOTE, url: 'https://cdn/other.jpg' }],
      variants: ['clean'],
      descriptions: ['On a chair'],
      metadata: { aspect_ratio: '4:5', tone: 'warm' },
    };
    const body = requestBody(request(item), known, { form: 'schema', urls: NO_URLS });
    expect(body.items).toEqual([
      {
        post_type: 'image',
        assets: [{ type: 'model', product_id: 'p-1', url: 'https://cdn/other.jpg' }],
        variants: ['clean'],
        descriptions: [{ description: 'On a chair' }],
        metadata: { aspect_ratio: '4:5', tone: 'warm' },
      },
    ]);
  });

  it('has the links that this run got, which the state may not know', () => {
    const fresh = createLinks((text) => text);
    fresh.keep('product/tote', ['https://files/tote.jpg?signature=1']);
    fresh.keep('product/bare', ['https://files/bare.jpg?signature=1']);
    const now = { ...known, io: { links: fresh } };
    const assets = [
      { type: 'product', product: TOTE },
      { type: 'product', product: { address: 'product/bare' } },
    ];
    expect(productsWithoutUrl(request({ assets }), now)).toEqual([]);
    const body = requestBody(request({ assets }), now, { form: 'schema', urls: NO_URLS });
    expect(body.items[0]?.assets.map(({ url }) => url)).toEqual([
      'https://files/tote.jpg?signature=1',
      'https://files/bare.jpg?signature=1',
    ]);
  });

  it('takes ids as they are written, with the url that was read', () => {
    const named = request({ assets: [{ type: 'product', product: { id: 'p-9' } }] }, { id: 'k-9' });
    const urls = new Map([['p-9', 'https://files/9.jpg']]);
    expect(requestBody(named, known, { form: 'schema', urls })).toMatchObject({
      content_pillar: 'k-9',
      items: [{ assets: [{ type: 'product', product_id: 'p-9', url: 'https://files/9.jpg' }] }],
    });
  });

  it('gives way to the guide form where an asset has no url', () => {
    const item = {
      assets: [
        { type: 'product', product: TOTE },
        { type: 'product', product: { id: 'p-9' } },
      ],
    };
    expect(requestBody(request(item), known, { form: 'schema', urls: NO_URLS }).items).toEqual([
      {
        post_type: 'image',
        assets: [
          { type: 'product', product_id: 'p-1' },
          { type: 'product', product_id: 'p-9' },
        ],
        metadata: { aspect_ratio: '1:1' },
      },
    ]);
  });
});

describe('the guide form', () => {
  it('has no urls and no empty lists', () => {
    expect(requestBody(request({}), known, { form: 'guide', urls: NO_URLS }).items).toEqual([
      {
        post_type: 'image',
        assets: [{ type: 'product', product_id: 'p-1' }],
        metadata: { aspect_ratio: '1:1' },
      },
    ]);
  });

  it('keeps what is said', () => {
    const item = { variants: ['clean'], descriptions: ['On a chair'] };
    expect(requestBody(request(item), known, { form: 'guide', urls: NO_URLS }).items).toMatchObject([
      { variants: ['clean'], descriptions: [{ description: 'On a chair' }] },
    ]);
  });
});

describe('a request body', () => {
  it('needs the urls of products that are known by id, each once', () => {
    const assets = [
      { type: 'product', product: TOTE },
      { type: 'product', product: { id: 'p-9' } },
      { type: 'product', product: { id: 'p-9' } },
      { type: 'product', product: { id: 'p-8' }, url: 'https://cdn/8.jpg' },
      { type: 'product', product: { address: 'product/bare' } },
    ];
    expect(productsWithoutUrl(request({ assets }), known)).toEqual(['p-9', 'p-2']);
  });

  it('cannot be made before its concept and products are', () => {
    const missing = { ...known, job: jobOf(requestNode('hero')) };
    expect(() => requestBody(request({}), missing, { form: 'guide', urls: NO_URLS })).toThrow(
      'media-config/hero@1: no result of concept/morning',
    );
  });
});
