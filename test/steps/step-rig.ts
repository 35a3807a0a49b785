/** What steps act with, in tests: a scripted client, a clock that stands still, dice that always fall the same. */
import type { PlannedNode } from '../../src/model/plan.ts';
import type { RequestPayload } from '../../src/model/payload.ts';
import type { NodeResult } from '../../src/model/result.ts';
import type { Job } from '../../src/model/step.ts';
import type { Client } from '../../src/service/client.ts';
import { serviceError as errorOf, type ServiceErrorFacts } from '../../src/service/service-error.ts';
import type { MediaAnswer } from '../../src/service/read-records.ts';
import { createKnownNames } from '../../src/steps/known-names.ts';
import { createMediaLookup } from '../../src/steps/media-lookup.ts';
import { createLinks } from '../../src/steps/links.ts';
import type { StepIo } from '../../src/steps/step-io.ts';
import { campaignFiles } from '../../src/storage/campaign-files.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { emptyState } from '../../src/log/fold.ts';

/** What `mediumNode` was requested with. */
const PAYLOAD: RequestPayload = {
  post: 'hero',
  n: 1,
  concept: { id: 'k-1' },
  numberOfPosts: 1,
  items: [],
  nextItem: 3,
};

/** Never aborted. */
export const { signal } = new AbortController();

/** Steps that use more of the client than a test scripts fail loudly: there is no such function. */
export function createIo(client: Partial<Client>, io: Partial<StepIo> = {}): StepIo {
  const { place = { folder: '/campaign', dir: 'out', outside: 'refuse' } } = io;
  return {
    client: client as Client,
    place,
    files: campaignFiles({ place, photosReadAt: 0 }),
    outputs: { dir: 'out', name: '{post}/{item}' },
    clock: createManualClock(),
    random: () => 0.5,
    lookup: createMediaLookup(undefined),
    links: createLinks((text) => text),
    madeProducts: [],
    names: createKnownNames(emptyState()),
    requested: () => ({ payload: PAYLOAD, sent: [{ name: '1', body: { post_type: 'image' } }], nextItem: 3 }),
    form: 'schema',
    statuses: {},
    mediaUrls: undefined,
    mediaTimeoutMs: 1_800_000,
    ...io,
  };
}

/** One attempt of a node; `results` by address. */
export function jobOf(
  node: PlannedNode,
  { results = {}, ...job }: Partial<Omit<Job, 'results'>> & { results?: Record<string, NodeResult> } = {},
): Job {
  return { node, attempt: 1, runningMs: 0, ...job, results };
}

export function serviceError(came: ServiceErrorFacts['came'], facts: Partial<ServiceErrorFacts> = {}) {
  const request = 'GET /x/';
  return errorOf({ came, request, ...facts });
}

/** A 404. */
export const NOT_THERE = serviceError('refused', { status: 404 });

/** The request of `mediumNode`, as the service has it. */
export const MADE = { id: 'c-1', items: [] };

/** A medium of configuration `c-1` that is being generated. */
export function mediaRecord(fields: Partial<MediaAnswer> = {}): MediaAnswer {
  return {
    id: 'm-1',
    generate_config: 'c-1',
    estimated_duration: '',
    media_info: 'https://files/1.png',
    status: 'pending',
    error_message: '',
    ...fields,
  };
}

/** A post that was requested: its medium, with the request's result. */
export function mediumNode(fields: { seen?: boolean } = {}): PlannedNode {
  return {
    address: 'media/hero/1@1',
    kind: 'media',
    action: 'create',
    reasons: [],
    dependsOn: ['media-config/hero@1'],
    payload: { post: 'hero', item: '1', take: 1, request: 'media-config/hero@1', requestedAs: '1' },
    seen: false,
    ...fields,
  };
}

export const REQUESTED = {
  'media-config/hero@1': { id: 'c-1', concept: 'k-1', items: { '1': { id: 'i-1', post_type: 'image' } } },
};
