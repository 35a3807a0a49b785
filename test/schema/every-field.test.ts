/** Every field of the manifest has an effect: an edit of it changes the plan, or what is loaded, and a test shows what for. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildGraph } from '../../src/graph/build-graph.ts';
import { emptyState } from '../../src/log/fold.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { makePlan } from '../../src/plan/make-plan.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/util/json.ts';
import { pointerKeys } from '../../src/util/json-pointer.ts';
import { campaignFolder, TODAY } from '../manifest/campaign-folder.ts';

const OTHER = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
const GAPS = {
  media_path: '/media/{config.id}/{item.id}/',
  statuses: { done: ['ready'], failed: ['broken'] },
  upload_url: '/data/link',
  max_upload_bytes: 1000,
  form: 'guide',
  media_urls: '/files',
  nothing_done: [503],
  on_unknown: { product: 'retry', concept: 'retry' },
  timeouts: { answer: '80s', upload: '90s' },
  tls: { cert: 'client.pem', key: 'client.key', ca: 'authority.pem' },
};
const LIMITS = {
  concurrency: { total: 9, upload: 2, product: 2, concept: 2, 'media-config': 2, media: 2, download: 2 },
  media_in_flight: 20,
  requests_per_second: 20,
  media_timeout: '10m',
};
const BUDGET = {
  currency: 'EUR',
  prices: { image: 0.1, video: 1, carousel: 0.3 },
  per_run: { posts: 100, cost: 100 },
  per_month: { posts: 1000, cost: 1000 },
};

const DEFAULT = {
  post_type: 'image',
  products: ['tote'],
  aspect_ratio: '1:1',
  variants: ['clean'],
  descriptions: ['${{ vars.season }} ${{ vars.own }}'],
};

/** Every field once. The default environment `live` says everything itself; for `stage` the rest of the manifest does. */
const BASE = {
  version: 1,
  name: 'spring',
  description: 'Spring range',
  service: {
    environments: {
      live: {
        base_url: 'https://x.example.com',
        api_key_env: 'KEY',
        limits: LIMITS,
        budget: BUDGET,
        variables: { own: 'a' },
        ...GAPS,
      },
      stage: { base_url: 'https://stage.example.com' },
    },
    default_environment: 'live',
    ...GAPS,
  },
  variables: { season: 'spring', own: 'z' },
  defaults: {
    max_takes: 2,
    product: { description: 'Well made', variant: 'plain' },
    item: DEFAULT,
  },
  product_folders: ['photos/*'],
  product_tables: ['p.csv'],
  products: {
    tote: { name: 'Tote', description: 'Canvas', variant: 'big', images: ['a.jpg'], vars: { look: 'dark' } },
    plain: { images: ['a.jpg'] },
    known: { images: ['a.jpg'], id: { live: '1b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f' } },
  },
  concepts: {
    morning: { name: 'Morning', description: 'Soft light', ref_images: ['r.jpg'], vars: { mood: 'calm' } },
    known: { id: '2b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f' },
  },
  posts: {
    hero: {
      concept: 'morning',
      number_of_posts: 9,
      max_takes: 4,
      regenerate: 'never',
      every: 'week',
      timezone: 'Europe/Berlin',
      items: [
        {
          key: 'short',
          post_type: 'image',
          products: ['tote'],
          aspect_ratio: '4:5',
          variants: ['a'],
          descriptions: ['b'],
        },
        {
          post_type: 'video',
          assets: [{ type: 'product', product_id: 'known', url: 'https://cdn.example.com/a.jpg' }],
          metadata: { aspect_ratio: '9:16' },
          variants: [],
          descriptions: [{ description: 'c' }],
        },
      ],
    },
    old: { content_pillar: 'known', items: [{ products: ['known'] }, {}] },
    grid: {
      matrix: {
        product: ['tote', 'plain'],
        ratio: ['1:1', '2:1'],
        exclude: [{ product: 'tote', ratio: '2:1' }],
        include: [
          { product: 'tote', ratio: '3:1', with: { line: 'x' } },
          { product: 'tote', ratio: '1:1', with: { line: 'y' } },
          { product: 'plain', ratio: '1:1', with: { line: 'y' } },
          { product: 'plain', ratio: '2:1', with: { line: 'y' } },
        ],
      },
      concept: 'morning',
      items: [
        {
          products: ['${{ matrix.product }}'],
          aspect_ratio: '${{ matrix.ratio }}',
          descriptions: ['${{ with.line }}'],
        },
      ],
    },
    said: {
      matrix: { product: ['tote'], concept: ['morning'] },
      concept: '${{ matrix.concept }}',
      items: [
        {
          products: ['${{ matrix.product }}'],
          descriptions: ['${{ product.vars.look }} ${{ concept.vars.mood }}'],
        },
      ],
    },
  },
  limits: LIMITS,
  budget: BUDGET,
  outputs: { dir: 'out', name: '{post}/{instance}/{item}-{post_type}' },
  moved: [{ from: 'product/bag', to: 'product/tote' }],
} satisfies JsonObject;

/** A pointer that is edited, and the new value (undefined: taken out); `shows`: a test of what it is for. */
interface Edit {
  readonly at: string;
  readonly to: Json | undefined;
  readonly shows?: readonly [file: string, title: string];
}

const PATIENCE = ['test/service/upload.test.ts', 'the time that the manifest gives it'] as const;
const CERTIFICATES = ['test/cli/client-certificate.test.ts', 'service.tls names'] as const;
const GAP_TESTS: Readonly<Record<string, Omit<Edit, 'at'>>> = {
  media_path: {
    to: '/media/{item.id}/{config.id}/',
    shows: ['test/cli/gaps.test.ts', 'say where media, their files'],
  },
  'statuses/done': { to: ['fine'], shows: ['test/cli/gaps.test.ts', 'which states are which'] },
  'statuses/failed': { to: ['bad'], shows: ['test/cli/gaps.test.ts', 'which states are which'] },
  upload_url: { to: '/url', shows: ['test/cli/gaps.test.ts', 'upload addresses are'] },
  max_upload_bytes: { to: 2000, shows: ['test/cli/lint.test.ts', 'without it nothing is said'] },
  form: { to: 'schema', shows: ['test/cli/gaps.test.ts', 'is named in the guide form'] },
  media_urls: { to: '/all', shows: ['test/cli/gaps.test.ts', 'their files'] },
  nothing_done: { to: [500], shows: ['test/engine/outcome-table.test.ts', 'nothing_done'] },
  'on_unknown/product': { to: 'hold', shows: ['test/cli/possible-duplicate.test.ts', 'on_unknown: retry'] },
  'on_unknown/concept': {
    to: 'hold',
    shows: ['test/plan/plan-objects.test.ts', 'is sent again where on_unknown says so'],
  },
  'timeouts/answer': { to: '3m', shows: PATIENCE },
  'timeouts/upload': { to: '3m', shows: PATIENCE },
  'tls/cert': { to: 'other.pem', shows: CERTIFICATES },
  'tls/key': { to: 'other.key', shows: CERTIFICATES },
  'tls/ca': { to: 'other.pem', shows: CERTIFICATES },
};
const KIND_LIMIT = { to: 3, shows: ['test/engine/limits.test.ts', 'keeps to the limit of a kind'] } as const;
const LIMIT_TESTS: Readonly<Record<string, Omit<Edit, 'at'>>> = {
  'concurrency/total': { to: 5, shows: ['test/engine/limits.test.ts', 'leaves one slot free'] },
  'concurrency/upload': KIND_LIMIT,
  'concurrency/product': KIND_LIMIT,
  'concurrency/concept': KIND_LIMIT,
  'concurrency/media-config': KIND_LIMIT,
  'concurrency/media': KIND_LIMIT,
  'concurrency/download': KIND_LIMIT,
  media_in_flight: { to: 30, shows: ['test/engine/run-plan.test.ts', 'mediaInFlight: 1'] },
  requests_per_second: { to: 30, shows: ['test/engine/limits.test.ts', 'keeps to the requests per second'] },
  media_timeout: { to: '20m', shows: ['test/simulation/waiting.test.ts', 'media_timeout'] },
};
const FITS = ['test/plan/plan-cost.test.ts', 'that exceeds a limit is shown with all that it wants'] as const;
const BUDGET_TESTS: Readonly<Record<string, Omit<Edit, 'at'>>> = {
  currency: { to: 'CHF', shows: ['test/cli/budget.test.ts', 'plan says what it costs'] },
  'prices/image': { to: 0.2, shows: ['test/plan/plan-cost.test.ts', 'costs what its requests cost'] },
  'prices/video': { to: 2, shows: ['test/plan/plan-cost.test.ts', 'costs what its requests cost'] },
  'prices/carousel': { to: 2, shows: ['test/plan/plan-cost.test.ts', 'costs what its requests cost'] },
  'per_run/posts': { to: 5, shows: FITS },
  'per_run/cost': { to: 5, shows: FITS },
  'per_month/posts': { to: 5, shows: FITS },
  'per_month/cost': { to: 5, shows: FITS },
};

function below(
  path: string,
  at: string,
  tests: Readonly<Record<string, Omit<Edit, 'at'>>>,
): [string, Edit][] {
  return Object.entries(tests).map(([name, edit]) => [`${path}/${name}`, { at: `${at}/${name}`, ...edit }]);
}

const LIVE = '/service/environments/live';
const ENVIRONMENTS = [
  'test/manifest/environment.test.ts',
  'has the settings of the service, its own over them',
] as const;
const HERO = '/posts/hero';
const ITEM = `${HERO}/items/0`;
const FULL = `${HERO}/items/1`;
/** What `live` says of itself, and `stage` does not. */
const OVERRIDDEN = /^\/(?:limits|budget|service\/(?!environments|default_environment))/;
const DEFAULT_ITEM = '/defaults/item';
const { products: _products, ...ASSETLESS } = DEFAULT;
const { aspect_ratio: _ratio, ...RATIOLESS } = DEFAULT;

const EDITS: Readonly<Record<string, Edit>> = {
  '/version': { at: '/version', to: 2 },
  '/name': {
    at: '/name',
    to: 'summer',
    shows: ['test/cli/state-place.test.ts', 'a campaign with another name'],
  },
  // It is for people who read the file.
  '/description': { at: '/description', to: 'Another', shows: ['docs/manifest.md', '`description`'] },
  '/service/environments/*/base_url': {
    at: `${LIVE}/base_url`,
    to: 'https://y.example.com',
    shows: ENVIRONMENTS,
  },
  '/service/environments/*/api_key_env': { at: `${LIVE}/api_key_env`, to: 'OTHER', shows: ENVIRONMENTS },
  '/service/environments/*/variables': { at: `${LIVE}/variables`, to: { own: 'b' } },
  ...Object.fromEntries([
    ...below('/service/environments/*', LIVE, GAP_TESTS),
    ...below('/service/environments/*/limits', `${LIVE}/limits`, LIMIT_TESTS),
    ...below('/service/environments/*/budget', `${LIVE}/budget`, BUDGET_TESTS),
    ...below('/service', '/service', GAP_TESTS),
    ...below('/limits', '/limits', LIMIT_TESTS),
    ...below('/budget', '/budget', BUDGET_TESTS),
  ]),
  '/service/default_environment': { at: '/service/default_environment', to: 'stage', shows: ENVIRONMENTS },
  '/variables': { at: '/variables', to: { season: 'summer', own: 'z' } },
  '/defaults/max_takes': {
    at: '/defaults/max_takes',
    to: 5,
    shows: ['test/plan/verdicts.test.ts', 'unless max_takes says otherwise'],
  },
  '/defaults/product/description': { at: '/defaults/product/description', to: 'Cheap' },
  '/defaults/product/variant': { at: '/defaults/product/variant', to: 'small' },
  '/defaults/item/post_type': { at: `${DEFAULT_ITEM}/post_type`, to: 'carousel' },
  '/defaults/item/products': { at: `${DEFAULT_ITEM}/products`, to: ['plain'] },
  '/defaults/item/assets/[]/type': {
    at: DEFAULT_ITEM,
    to: { ...ASSETLESS, assets: [{ type: 'thing', product_id: 'tote' }] },
  },
  '/defaults/item/assets/[]/product_id': {
    at: DEFAULT_ITEM,
    to: { ...ASSETLESS, assets: [{ type: 'product', product_id: 'plain' }] },
  },
  '/defaults/item/assets/[]/url': {
    at: DEFAULT_ITEM,
    to: {
      ...ASSETLESS,
      assets: [{ type: 'product', product_id: 'tote', url: 'https://cdn.example.com/d.jpg' }],
    },
  },
  '/defaults/item/aspect_ratio': { at: `${DEFAULT_ITEM}/aspect_ratio`, to: '5:4' },
  '/defaults/item/metadata/aspect_ratio': {
    at: DEFAULT_ITEM,
    to: { ...RATIOLESS, metadata: { aspect_ratio: '5:4' } },
  },
  '/defaults/item/variants': { at: `${DEFAULT_ITEM}/variants`, to: ['dark'] },
  '/defaults/item/descriptions': { at: `${DEFAULT_ITEM}/descriptions`, to: ['other'] },
  '/defaults/item/descriptions/[]/description': {
    at: `${DEFAULT_ITEM}/descriptions`,
    to: [{ description: 'other' }],
  },
  '/product_folders': { at: '/product_folders', to: [] },
  '/product_tables': { at: '/product_tables', to: [] },
  '/products/*/name': { at: '/products/tote/name', to: 'Bag' },
  '/products/*/description': { at: '/products/tote/description', to: 'Linen' },
  '/products/*/variant': { at: '/products/tote/variant', to: 'small' },
  '/products/*/images': { at: '/products/tote/images', to: ['r.jpg'] },
  '/products/*/id': { at: '/products/known/id', to: OTHER },
  '/products/*/vars': { at: '/products/tote/vars', to: { look: 'bright' } },
  '/concepts/*/name': { at: '/concepts/morning/name', to: 'Evening' },
  '/concepts/*/description': { at: '/concepts/morning/description', to: 'Neon' },
  '/concepts/*/ref_images': { at: '/concepts/morning/ref_images', to: ['a.jpg'] },
  '/concepts/*/id': { at: '/concepts/known/id', to: OTHER },
  '/concepts/*/vars': { at: '/concepts/morning/vars', to: { mood: 'wild' } },
  '/posts/*/concept': { at: `${HERO}/concept`, to: 'known' },
  '/posts/*/content_pillar': { at: '/posts/old/content_pillar', to: 'morning' },
  '/posts/*/number_of_posts': { at: `${HERO}/number_of_posts`, to: 12 },
  '/posts/*/max_takes': {
    at: `${HERO}/max_takes`,
    to: 1,
    shows: ['test/plan/verdicts.test.ts', 'is only listed after max_takes'],
  },
  '/posts/*/matrix/exclude': { at: '/posts/grid/matrix/exclude', to: [{ product: 'plain', ratio: '2:1' }] },
  '/posts/*/matrix/exclude/[]/with': {
    at: '/posts/grid/matrix/exclude',
    to: [{ product: 'tote', ratio: '2:1', with: 'x' }],
  },
  '/posts/*/matrix/include': { at: '/posts/grid/matrix/include/0/ratio', to: '4:1' },
  '/posts/*/matrix/include/[]/with': { at: '/posts/grid/matrix/include/0/with', to: { line: 'z' } },
  '/posts/*/regenerate': {
    at: `${HERO}/regenerate`,
    to: 'on_change',
    shows: ['test/plan/regenerate.test.ts', 'keeps what was generated, whatever changes'],
  },
  '/posts/*/every': { at: `${HERO}/every`, to: 'day' },
  '/posts/*/timezone': { at: `${HERO}/timezone`, to: 'Asia/Tokyo' },
  '/posts/*/items/[]/key': { at: `${ITEM}/key`, to: 'long' },
  '/posts/*/items/[]/post_type': { at: `${ITEM}/post_type`, to: 'carousel' },
  '/posts/*/items/[]/products': { at: `${ITEM}/products`, to: ['plain'] },
  '/posts/*/items/[]/assets/[]/type': { at: `${FULL}/assets/0/type`, to: 'thing' },
  '/posts/*/items/[]/assets/[]/product_id': { at: `${FULL}/assets/0/product_id`, to: 'plain' },
  '/posts/*/items/[]/assets/[]/url': { at: `${FULL}/assets/0/url`, to: 'https://cdn.example.com/b.jpg' },
  '/posts/*/items/[]/aspect_ratio': { at: `${ITEM}/aspect_ratio`, to: '5:4' },
  '/posts/*/items/[]/metadata/aspect_ratio': { at: `${FULL}/metadata/aspect_ratio`, to: '3:4' },
  '/posts/*/items/[]/variants': { at: `${ITEM}/variants`, to: ['z'] },
  '/posts/*/items/[]/descriptions': { at: `${ITEM}/descriptions`, to: ['z'] },
  '/posts/*/items/[]/descriptions/[]/description': { at: `${FULL}/descriptions/0/description`, to: 'z' },
  '/outputs/dir': { at: '/outputs/dir', to: 'results' },
  '/outputs/name': { at: '/outputs/name', to: '{instance}/{post}/{item}-{post_type}' },
  '/moved/[]/from': {
    at: '/moved/0/from',
    to: 'product/sack',
    shows: ['test/match/stated-moves.test.ts', 'costs what changed besides'],
  },
  '/moved/[]/to': {
    at: '/moved/0/to',
    to: 'product/plain',
    shows: ['test/match/stated-moves.test.ts', 'goes to one place, from one place'],
  },
};

const CSV = 'key,image_link\nhat,a.jpg\n';
const FILES = { 'a.jpg': 'a', 'r.jpg': 'r', 'photos/mug/a.jpg': 'mug', 'p.csv': CSV };

/** Money is a BigInt, and prices are a map. */
function wordsOf(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Map ? [...value] : value;
}

interface Seen {
  readonly plan: string;
  readonly loaded: string;
}

/** In Tokyo it is Monday already, the first day of another week. */
const today = (zone: string) => (zone === 'Asia/Tokyo' ? '2026-11-23' : TODAY);

/** What becomes of a manifest in an environment, by default in that which it names. */
async function see(document: Json, environment?: string): Promise<Seen> {
  const { options, folder } = await campaignFolder(JSON.stringify(document), FILES);
  const words = (value: unknown) => JSON.stringify(value, wordsOf).replaceAll(folder, '');
  const result = await loadManifest({
    ...options,
    ...(environment !== undefined && { environment }),
    need: 'environment',
    today,
  });
  if (!result.ok) {
    const problems = result.error.map(({ code, detail }) => `${code} ${detail}\n`).join('');
    return { plan: problems, loaded: problems };
  }
  const { manifest } = result.value;
  const { environment: chosen, limits, budget, description, name, products, concepts, outputs } = manifest;
  const images = [...products.flatMap((one) => one.images), ...concepts.flatMap((one) => one.refImages)];
  const hashes = new Map(
    images.flatMap((image) => {
      if (!('file' in image)) return [];
      const sha256 = createHash('sha256')
        .update(readFileSync(join(folder, image.file)))
        .digest('hex');
      return [[image.file, { file: image.file, sha256, bytes: 1, contentType: 'image/jpeg' }] as const];
    }),
  );
  const graph = buildGraph(manifest, hashes);
  const plan = makePlan({ graph, state: emptyState(), outputs, replacements: 'make', now: 0 });
  const nodes = [...plan.nodes].map((node) => ({ ...node, source: '' }));
  return {
    plan: words([nodes, plan.newPosts]),
    loaded: words([chosen, limits, budget, description, name, graph.posts, graph.moved]),
  };
}

/** A copy of a document with another value at a pointer. */
function edited(document: Json, [key, ...rest]: readonly string[], to: Json | undefined): Json {
  if (key === undefined) return to ?? null;
  const inside = (value: Json | undefined) => (rest.length ? edited(value ?? {}, rest, to) : to);
  if (isJsonArray(document))
    return document.map((each, index) => (String(index) === key ? (inside(each) ?? null) : each));
  const object = isJsonObject(document) ? document : {};
  return { ...object, [key]: inside(object[key]) };
}

const SCHEMA = JSON.parse(readFileSync('schemas/campaign.schema.json', 'utf8')) as JsonObject;

/** The paths of all fields that hold no further ones: `*` for any key, `[]` for any entry. */
function fieldsOf(node: Json | undefined, path = ''): string[] {
  if (!isJsonObject(node)) return [];
  const { $ref, properties, items, additionalProperties } = node;
  if (typeof $ref === 'string') {
    const defs = SCHEMA['$defs'];
    return fieldsOf(isJsonObject(defs) ? defs[$ref.replace('#/$defs/', '')] : undefined, path);
  }
  const members = isJsonObject(properties) ? Object.entries(properties) : [];
  const choices = [node['oneOf'], node['anyOf'], node['allOf']].flatMap((list) =>
    isJsonArray(list) ? list : [],
  );
  return [
    ...members.flatMap(([name, member]) => {
      const at = `${path}/${name}`;
      const inner = fieldsOf(member, at);
      return inner.length ? inner : [at];
    }),
    ...fieldsOf(additionalProperties, `${path}/*`),
    ...fieldsOf(items, `${path}/[]`),
    ...choices.flatMap((choice) => fieldsOf(choice, path)),
  ];
}

describe('every field of the manifest', () => {
  const fields = [...new Set(fieldsOf(SCHEMA))];

  it('stands in this table', () => {
    expect(fields.filter((field) => !Object.hasOwn(EDITS, field))).toEqual([]);
    expect(
      Object.keys(EDITS).filter(
        (field) => !fields.some((one) => one === field || one.startsWith(`${field}/`)),
      ),
    ).toEqual([]);
  });

  it('changes the plan, or what is loaded, of which another test shows the effect', async () => {
    const before = { live: await see(BASE), stage: await see(BASE, 'stage') };
    expect(await see(BASE)).toEqual(before.live);
    for (const { plan } of Object.values(before)) expect(plan.startsWith('[')).toBe(true);
    const without: string[] = [];
    for (const [field, { at, to, shows }] of Object.entries(EDITS)) {
      const environment = OVERRIDDEN.test(at) ? 'stage' : undefined;
      const after = await see(edited(BASE, pointerKeys(at), to), environment);
      const { plan, loaded } = before[environment ?? 'live'];
      const isChanged = shows ? after.loaded !== loaded : after.plan !== plan;
      const [file, title] = shows ?? [];
      const isShown = file === undefined || readFileSync(file, 'utf8').includes(title ?? '');
      if (!isChanged || !isShown) without.push(field);
    }
    expect(without).toEqual([]);
  });
});
