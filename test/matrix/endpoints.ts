/** The 14 endpoints and the files of posts: of which kind their requests are, and how one is brought about. */
import type { Client } from '../../src/service/client.ts';
import type { ServiceError } from '../../src/service/service-error.ts';
import type { Result } from '../../src/util/result.ts';

/** The rows of the retry table, the first one split by what a request is for. */
export type RequestKind =
  | 'token'
  | 'upload'
  | 'create'
  | 'read'
  | 'update'
  | 'delete'
  | 'lookup'
  | 'poll'
  | 'download';

/** How a campaign comes to send it. */
export interface Story {
  /** Applied without a fault before; nothing where the request is the first one. */
  readonly before?: { readonly manifest: string; readonly wait?: false };
  /** What a person did meanwhile leads to exactly one node that sends this request. */
  readonly manifest: string;
  /** Where its outcome shows; a request without its number. */
  readonly node: string;
  /** What sends it again in a later run, where nobody knows what came of it. */
  readonly later?: string;
  /** The run ends once its request is made: what becomes of the post is another endpoint's story. */
  readonly wait?: false;
  /** What the manifest no longer names is deleted. */
  readonly prune?: true;
  /** The manifest names this product of the service as `PRODUCT_ID`. */
  readonly needsProduct?: true;
}

/** What a client that is asked directly works on. */
export interface Ids {
  readonly product: string;
  readonly concept: string;
  readonly config: string;
  readonly item: string;
}

export interface Endpoint {
  readonly route: string;
  readonly kind: RequestKind;
  /** Absent where no command that runs a plan sends it: the client is asked. */
  readonly story?: Story;
  readonly call: (client: Client, ids: Ids) => Promise<Result<unknown, ServiceError>>;
}

const CONCEPT = `concepts:
  morning: { description: Soft light }
`;
const PRODUCT = `products:
  tote: { images: ["https://cdn.example.com/tote.jpg"] }
`;
const POST = `posts:
  hero:
    concept: morning
    items:
      - { key: kitchen, post_type: image, products: [tote], aspect_ratio: "8:1" }
`;
const ALL = CONCEPT + PRODUCT + POST;
const MUG = '  mug: { images: ["https://cdn.example.com/mug.jpg"] }\n';
const KEEP_NOTHING = 'outputs: false\n';

const PRODUCT_BODY = { name: 'Tote', variant: 'product_with_label', media_urls: [] };
const CONCEPT_BODY = { name: 'Morning', description: 'Soft light', ref_images: [] };

export const ENDPOINTS: readonly Endpoint[] = [
  {
    route: 'POST /get_auth_token',
    kind: 'token',
    story: { manifest: CONCEPT, node: 'concept/morning' },
    call: (client) => client.getAuthToken(),
  },
  {
    route: 'POST /upload-media/',
    kind: 'upload',
    story: { manifest: 'products:\n  tote: { images: [tote.png] }\n', node: 'upload/87095ce8b488ab5b' },
    call: (client) =>
      client.uploadMedia({
        path: 'test/matrix/tote.png',
        filename: 'tote.png',
        contentType: 'image/png',
        sha256: '',
      }),
  },
  {
    route: 'POST /products/',
    kind: 'create',
    story: { manifest: PRODUCT, node: 'product/tote' },
    call: (client) => client.createProduct(PRODUCT_BODY),
  },
  {
    route: 'GET /products/{id}/',
    kind: 'lookup',
    story: {
      before: { manifest: CONCEPT },
      manifest: `${CONCEPT}products:\n  tote: { id: PRODUCT_ID }\n${POST}`,
      node: 'media-config/hero',
      wait: false,
      needsProduct: true,
    },
    call: (client, { product }) => client.getProduct(product),
  },
  {
    route: 'PUT /products/{id}/',
    kind: 'update',
    call: (client, { product }) => client.putProduct(product, PRODUCT_BODY),
  },
  {
    route: 'PATCH /products/{id}/',
    kind: 'update',
    story: {
      before: { manifest: PRODUCT },
      manifest: PRODUCT.replace('tote: {', 'tote: { description: Leather handles,'),
      node: 'product/tote',
      later: 'PUT /products/{id}/',
    },
    call: (client, { product }) => client.patchProduct(product, { description: 'Leather handles' }),
  },
  {
    route: 'DELETE /products/{id}/',
    kind: 'delete',
    story: {
      before: { manifest: PRODUCT + MUG },
      manifest: `products:\n${MUG}`,
      node: 'product/tote',
      prune: true,
    },
    call: (client, { product }) => client.deleteProduct(product),
  },
  {
    route: 'POST /concepts/',
    kind: 'create',
    story: { manifest: CONCEPT, node: 'concept/morning' },
    call: (client) => client.createConcept(CONCEPT_BODY),
  },
  {
    route: 'PUT /concepts/{id}/',
    kind: 'update',
    story: {
      before: { manifest: CONCEPT },
      manifest: CONCEPT.replace('Soft light', 'Hard light'),
      node: 'concept/morning',
    },
    call: (client, { concept }) => client.putConcept(concept, CONCEPT_BODY),
  },
  {
    route: 'DELETE /concepts/{id}/',
    kind: 'delete',
    story: {
      before: { manifest: CONCEPT + PRODUCT },
      manifest: PRODUCT,
      node: 'concept/morning',
      prune: true,
    },
    call: (client, { concept }) => client.deleteConcept(concept),
  },
  {
    route: 'POST /media-config/',
    kind: 'create',
    story: {
      before: { manifest: CONCEPT + PRODUCT },
      manifest: ALL,
      node: 'media-config/hero',
      wait: false,
    },
    call: (client, { product, concept }) =>
      client.createMediaConfig({
        content_pillar: concept,
        number_of_posts: 1,
        items: [
          {
            post_type: 'image',
            assets: [{ type: 'product', product_id: product, url: 'https://cdn.example.com/tote.jpg' }],
            variants: [],
            descriptions: [],
            metadata: { aspect_ratio: '8:1' },
          },
        ],
      }),
  },
  {
    route: 'GET /media-config/{id}/',
    kind: 'read',
    call: (client, { config }) => client.getMediaConfig(config),
  },
  {
    route: 'DELETE /media-config/{id}/',
    kind: 'delete',
    story: {
      before: { manifest: KEEP_NOTHING + ALL },
      manifest: KEEP_NOTHING + CONCEPT + PRODUCT,
      node: 'media-config/hero',
      prune: true,
    },
    call: (client, { config }) => client.deleteMediaConfig(config),
  },
  {
    route: 'GET /media/{id}/{id}/',
    kind: 'poll',
    story: {
      before: { manifest: KEEP_NOTHING + ALL, wait: false },
      manifest: KEEP_NOTHING + ALL,
      node: 'media/hero/kitchen',
    },
    call: (client, { config, item }) => client.getMedia(config, item),
  },
  {
    route: 'GET /files/{id}',
    kind: 'download',
    story: { before: { manifest: KEEP_NOTHING + ALL }, manifest: ALL, node: 'download/hero/kitchen' },
    call: () => Promise.reject(new Error('files are fetched by downloads only')),
  },
];
