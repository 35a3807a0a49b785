/**
 * What each event of the log has to have. A sealed line is our own writing, and its type says enough; an edit by hand
 * may have lost or misspelt a member, and the fold would break on it, or pass over what was paid for.
 */
import { type Address, kindOf, type NodeKind, splitTake } from '../model/address.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { JsonObject } from '../util/json.ts';
import { lackOf, type Shape } from '../util/shape.ts';

const PROBLEM = { problem: { summary: 'text' } } as const;
const MEANING = { inputs: 'an object', fingerprint: 'text' } as const;
const FILES = [{ path: 'text', sha256: 'text', bytes: 'a number', contentType: 'text' }] as const;

const ITEM = {
  item: 'text',
  ...MEANING,
  payload: {
    post_type: 'text',
    assets: 'a list',
    variants: 'a list',
    descriptions: 'a list',
    metadata: 'an object',
  },
} as const;

const REQUEST = {
  post: 'text',
  n: 'a number',
  concept: 'an object',
  numberOfPosts: 'a number',
  items: [ITEM],
  nextItem: 'a number',
} as const;

/** What each kind of node gives to those that depend on it (model/result.ts). */
const RESULTS = {
  upload: { url: 'text' },
  product: { id: 'text', 'url?': 'text' },
  concept: { id: 'text' },
  'media-config': { id: 'text', concept: 'text', items: 'an object', 'surplus?': ['text'] },
  media: { id: 'text', urls: ['text'] },
  download: { media: 'text', files: FILES, 'renamed?': [{ take: 'a number', files: FILES }] },
} as const satisfies Record<NodeKind, Shape>;

const KEPT = {
  object: { address: 'text', status: 'text', ...MEANING, versions: 'a list', at: 'text' },
  request: {
    address: 'text',
    status: 'text',
    payload: REQUEST,
    'result?': RESULTS['media-config'],
    at: 'text',
  },
  media: {
    address: 'text',
    post: 'text',
    item: 'text',
    surplus: 'true or false',
    takes: [
      {
        n: 'a number',
        request: 'text',
        requestedAs: 'text',
        status: 'text',
        ...MEANING,
        seen: 'true or false',
        'result?': RESULTS.media,
        'files?': FILES,
        requestedAt: 'text',
      },
    ],
  },
  run: {
    run: 'text',
    command: 'text',
    version: 'text',
    manifest: 'text',
    startedAt: 'text',
    'decided?': { count: 'a number', first: 'a list' },
    'end?': { at: 'text', outcome: 'text', exitCode: 'a number', nodes: 'an object' },
    last: { seq: 'a number', crc: 'a number' },
  },
} as const;

interface Members {
  /** What it may be about; anything where it is left out, nothing where it is about no node. */
  readonly kinds?: readonly NodeKind[];
  readonly has: { readonly [member: string]: Shape };
}

const ANY: readonly NodeKind[] = ['upload', 'product', 'concept', 'media-config', 'media', 'download'];
const CREATED: readonly NodeKind[] = ['product', 'concept', 'media-config'];
const OBJECTS: readonly NodeKind[] = ['upload', 'product', 'concept'];

const MEMBERS: Readonly<Record<StateEvent['type'], Members>> = {
  'run-started': { has: { command: 'text', version: 'text', manifest: 'text' } },
  intent: { kinds: CREATED, has: { ...MEANING, attempt: 'a number' } },
  created: { kinds: CREATED, has: {} },
  rejected: { kinds: CREATED, has: PROBLEM },
  'not-sent': { kinds: CREATED, has: PROBLEM },
  throttled: { kinds: CREATED, has: PROBLEM },
  unknown: { kinds: CREATED, has: { evidence: { summary: 'text' } } },
  uploaded: { kinds: ['upload'], has: MEANING },
  updating: { kinds: OBJECTS, has: {} },
  updated: { kinds: OBJECTS, has: MEANING },
  accepted: { kinds: ANY, has: MEANING },
  failed: { kinds: ANY, has: PROBLEM },
  seen: { kinds: ['media'], has: {} },
  generated: { kinds: ['media'], has: {} },
  'generation-failed': { kinds: ['media'], has: PROBLEM },
  lost: { kinds: ['media'], has: PROBLEM },
  downloaded: { kinds: ['download'], has: {} },
  moved: { has: { from: 'text', to: 'text' } },
  resolved: { kinds: ANY, has: { decision: 'text' } },
  learned: { has: { name: 'text', value: 'text' } },
  forgotten: { kinds: ANY, has: {} },
  rebound: { has: { campaign: 'text', environment: 'text', base_url: 'text' } },
  kept: { has: {} },
  'run-finished': { has: { outcome: 'text', exit_code: 'a number', nodes: 'an object' } },
};

/** Events with the result of their node. */
const WITH_RESULT: readonly StateEvent['type'][] = [
  'created',
  'uploaded',
  'updated',
  'generated',
  'downloaded',
];

/** What is missing in an event or wrong about it; undefined where it is whole. */
export function whyIncomplete(event: StateEvent): string | undefined {
  const { kinds, has } = MEMBERS[event.type];
  const members = event as object as JsonObject;
  const lack =
    lackOf(members, { at: 'text', ...has, ...(kinds && { address: 'text' }) }) ??
    (kinds && 'address' in event ? lackOfNode(event, kinds) : undefined) ??
    (event.type === 'kept' ? lackOfKept(members) : undefined);
  return lack === undefined ? undefined : `its event "${event.type}" ${lack}`;
}

type NodeEvent = Extract<StateEvent, { readonly address: Address }>;

function lackOfNode(event: NodeEvent, kinds: readonly NodeKind[]): string | undefined {
  const { type, address } = event;
  const kind = kindOf(address);
  if (!kind || !kinds.includes(kind)) return `cannot be about ${address}`;
  if (!OBJECTS.includes(kind) && type !== 'forgotten' && !splitTake(address).take)
    return `is about ${address}, which lacks an @ and a number`;
  const isRequest = type === 'intent' && kind === 'media-config';
  const isDone = WITH_RESULT.includes(type) || (type === 'resolved' && event.decision === 'created');
  return lackOf(event as object as JsonObject, {
    ...(isRequest && { request: REQUEST }),
    ...(isDone && { result: RESULTS[kind] }),
  });
}

function lackOfKept(event: JsonObject): string | undefined {
  const kept = Object.entries(KEPT).find(([name]) => name in event);
  if (!kept) return 'has none of object, request, media and run';
  const [name, shape] = kept;
  return lackOf(event, { [name]: shape });
}
