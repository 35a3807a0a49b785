/** An event of every type with all that it can hold. */
import type { StateEvent } from '../../src/model/state-event.ts';
import type { JsonObject } from '../../src/util/json.ts';
import { AT } from '../store/file/sample-log.ts';

const MEANING = { inputs: { name: 'Tote' }, fingerprint: 'f1' };
const PROBLEM = {
  problem: {
    summary: 'refused',
    detail: 'in its words',
    cause: 'disk',
    photos: ['front.jpg'],
    status: 507,
    retry_at: AT,
    source: '#/posts/hero',
  },
};
const FILE = { path: 'out/a.png', sha256: 'x', bytes: 3, contentType: 'image/png' };
const REQUEST = {
  post: 'hero',
  n: 1,
  concept: { address: 'concept/morning' },
  numberOfPosts: 1,
  items: [
    {
      item: '1',
      ...MEANING,
      payload: {
        post_type: 'image',
        assets: [],
        variants: [],
        descriptions: [],
        metadata: { aspect_ratio: '1:1' },
      },
    },
  ],
  nextItem: 2,
  cost: 0.1,
};
const REQUESTED = { id: 'c-1', concept: 'k-1', items: {}, surplus: ['9'] };
const TOLD = { name: 'Tote bag', description: null, variant: null, images: '0f', updated_at: AT };
const DRIFT = { name: 'Tote', description: 'x', variant: 'v', images: ['https://x/1'] };
const MEDIA = { id: 'm-1', urls: ['https://x/1'] };
const TAKE = {
  n: 1,
  request: 'media-config/hero@1',
  requestedAs: '1',
  status: 'done',
  ...MEANING,
  seen: true,
  result: MEDIA,
  files: [FILE],
  requestedAt: AT,
};

const NODES = {
  created: 1,
  updated: 0,
  replaced: 0,
  deleted: 0,
  moved: 0,
  unchanged: 0,
  downloaded: 0,
  failed: 0,
  blocked: 0,
  unknown: 0,
  pending: 0,
};

const RUN = {
  run: 'r',
  command: 'apply',
  version: '1',
  manifest: 'm.yaml',
  startedAt: AT,
  by: 'anna@studio',
  end: { at: AT, outcome: 'succeeded', exitCode: 0, nodes: NODES },
  last: { seq: 5, crc: 7 },
  earlier: [{ seq: 3, crc: 2 }],
};

const KEPT = {
  object: {
    address: 'product/tote',
    status: 'done',
    ...MEANING,
    versions: [['f1', { name: 'Tote' }]],
    at: AT,
  },
  request: {
    address: 'media-config/hero@1',
    status: 'done',
    payload: REQUEST,
    result: REQUESTED,
    at: AT,
    requestedAt: AT,
  },
  media: { address: 'media/hero/1', post: 'hero', item: '1', surplus: false, leftAlone: true, takes: [TAKE] },
};

const ITEM_NEEDS = [
  'item',
  'inputs',
  'fingerprint',
  'payload',
  'payload.post_type',
  'payload.assets',
  'payload.variants',
  'payload.descriptions',
  'payload.metadata',
  'payload.metadata.aspect_ratio',
];
const REQUEST_NEEDS = [
  'post',
  'n',
  'concept',
  'concept.address',
  'numberOfPosts',
  'items',
  ...below('items[0]', ITEM_NEEDS),
  'nextItem',
];
const FILE_NEEDS = ['path', 'sha256', 'bytes', 'contentType'];
const MEANING_NEEDS = ['inputs', 'fingerprint'];
const PROBLEM_NEEDS = ['problem', 'problem.summary'];

type Whole = JsonObject & { readonly type: StateEvent['type'] };

/** A whole event without its time, and the members that it cannot be without, besides its time, type and address. */
export const WHOLE_EVENTS: readonly (readonly [Whole, readonly string[]])[] = [
  [
    { type: 'run-started', command: 'apply', version: '1', manifest: 'm.yaml', by: 'me@here' },
    ['command', 'version', 'manifest', 'by'],
  ],
  [{ type: 'intent', address: 'product/tote', attempt: 1, ...MEANING }, [...MEANING_NEEDS, 'attempt']],
  [
    { type: 'intent', address: 'media-config/hero@1', attempt: 1, ...MEANING, request: REQUEST },
    [...MEANING_NEEDS, 'attempt', 'request', ...below('request', REQUEST_NEEDS)],
  ],
  [
    { type: 'created', address: 'product/tote', result: { id: 'p-1', url: 'https://x/1' } },
    ['result', 'result.id'],
  ],
  [{ type: 'created', address: 'concept/morning', result: { id: 'k-1' } }, ['result', 'result.id']],
  [
    { type: 'created', address: 'media-config/hero@1', result: REQUESTED },
    ['result', 'result.id', 'result.concept', 'result.items'],
  ],
  [{ type: 'rejected', address: 'concept/morning', ...PROBLEM }, PROBLEM_NEEDS],
  [{ type: 'not-sent', address: 'product/tote', ...PROBLEM }, PROBLEM_NEEDS],
  [{ type: 'throttled', address: 'media-config/hero@1', ...PROBLEM }, PROBLEM_NEEDS],
  [
    { type: 'unknown', address: 'product/tote', evidence: { summary: 'reset', status: 502 } },
    ['evidence', 'evidence.summary'],
  ],
  [
    { type: 'uploaded', address: 'upload/0f', ...MEANING, result: { url: 'https://x/1' } },
    [...MEANING_NEEDS, 'result'],
  ],
  [{ type: 'updating', address: 'product/tote' }, []],
  [
    { type: 'updated', address: 'concept/morning', ...MEANING, result: { id: 'k-1' } },
    [...MEANING_NEEDS, 'result', 'result.id'],
  ],
  ...['upload/0f', 'product/tote', 'concept/morning', 'media/hero/1@1'].map(
    (address) => [{ type: 'accepted', address, ...MEANING }, MEANING_NEEDS] as const,
  ),
  ...['media-config/hero@1', 'download/hero/1@1'].map(
    (address) => [{ type: 'failed', address, ...PROBLEM }, PROBLEM_NEEDS] as const,
  ),
  [{ type: 'seen', address: 'media/hero/1@1' }, []],
  [
    { type: 'listed', address: 'media-config/hero@1', result: REQUESTED },
    ['result', 'result.id', 'result.concept', 'result.items'],
  ],
  [{ type: 'generated', address: 'media/hero/1@1', result: MEDIA }, ['result', 'result.id', 'result.urls']],
  [{ type: 'generation-failed', address: 'media/hero/1@1', ...PROBLEM }, PROBLEM_NEEDS],
  [{ type: 'lost', address: 'media/hero/1@1', ...PROBLEM }, PROBLEM_NEEDS],
  [
    {
      type: 'downloaded',
      address: 'download/hero/1@2',
      result: { media: 'm-1', files: [FILE], renamed: [{ take: 1, files: [FILE] }] },
    },
    [
      'result',
      'result.media',
      'result.files',
      ...below('result.files[0]', FILE_NEEDS),
      ...below('result.renamed[0]', ['take', 'files', ...below('files[0]', FILE_NEEDS)]),
    ],
  ],
  [{ type: 'deleting', address: 'product/tote' }, []],
  [{ type: 'deleted', address: 'media-config/hero@1' }, []],
  [{ type: 'not-deleted', address: 'concept/morning', ...PROBLEM }, PROBLEM_NEEDS],
  [
    { type: 'moved', moves: [{ from: 'product/a', to: 'product/b' }] },
    ['moves', ...below('moves[0]', ['from', 'to'])],
  ],
  [{ type: 'let-go', addresses: ['media/hero/1'], again: ['media/hero/2'] }, ['addresses', 'again']],
  [
    { type: 'resolved', address: 'product/tote', decision: 'created', result: { id: 'p-1' } },
    ['decision', 'result', 'result.id'],
  ],
  [{ type: 'resolved', address: 'media/hero/1@1', decision: 'skipped' }, ['decision']],
  [
    { type: 'imported', address: 'product/tote', ...MEANING, result: { id: 'p-1', told: TOLD } },
    [...MEANING_NEEDS, 'result', 'result.id'],
  ],
  [
    { type: 'imported', address: 'media-config/hero@1', ...MEANING, request: REQUEST, result: REQUESTED },
    [
      ...MEANING_NEEDS,
      'request',
      ...below('request', REQUEST_NEEDS),
      'result',
      'result.id',
      'result.concept',
      'result.items',
    ],
  ],
  [{ type: 'refreshed', address: 'product/tote', found: 'here', told: TOLD, drift: DRIFT }, ['found']],
  [{ type: 'refreshed', address: 'media/hero/1@1', found: 'gone' }, ['found']],
  [{ type: 'learned', name: 'media-path', value: '/x' }, ['name', 'value']],
  [{ type: 'spent', month: '2026-03', posts: 12, cost: 1.4 }, ['month', 'posts', 'cost']],
  [{ type: 'forgotten', address: 'media/hero/1' }, []],
  [{ type: 'retired' }, []],
  [
    { type: 'rebound', campaign: 'c', environment: 'e', base_url: 'u' },
    ['campaign', 'environment', 'base_url'],
  ],
  [
    { type: 'run-finished', outcome: 'succeeded', exit_code: 0, nodes: NODES },
    ['outcome', 'exit_code', 'nodes', ...below('nodes', Object.keys(NODES))],
  ],
  [
    { type: 'kept', object: KEPT.object },
    ['object', ...below('object', ['address', 'status', ...MEANING_NEEDS, 'versions', 'at'])],
  ],
  [
    { type: 'kept', request: KEPT.request },
    [
      'request',
      ...below('request', [
        'address',
        'status',
        'payload',
        ...below('payload', REQUEST_NEEDS),
        'result.id',
        'result.concept',
        'result.items',
        'at',
      ]),
    ],
  ],
  [
    { type: 'kept', media: KEPT.media },
    [
      'media',
      ...below('media', ['address', 'post', 'item', 'surplus', 'takes']),
      ...below('media.takes[0]', [
        'n',
        'request',
        'requestedAs',
        'status',
        ...MEANING_NEEDS,
        'seen',
        'result.id',
        'result.urls',
        ...below('files[0]', FILE_NEEDS),
        'requestedAt',
      ]),
    ],
  ],
  [
    { type: 'kept', run: RUN },
    [
      'run',
      ...below('run', [
        'run',
        'command',
        'version',
        'manifest',
        'startedAt',
        'by',
        ...below('end', ['at', 'outcome', 'exitCode', 'nodes', ...below('nodes', Object.keys(NODES))]),
        'last',
        ...below('last', ['seq', 'crc']),
        ...below('earlier[0]', ['seq', 'crc']),
      ]),
    ],
  ],
  [{ type: 'kept', gone: ['m-1'] }, ['gone']],
];

function below(path: string, members: readonly string[]): string[] {
  return members.map((member) => `${path}.${member}`);
}
