import type { FreeAnswers, MediumReading } from '../../src/doctor/ask-service.ts';
import type { Context } from '../../src/doctor/context.ts';
import type { Gaps, ExpandedManifest } from '../../src/manifest/manifest.ts';
import type { RequestState, RunState } from '../../src/model/run-state.ts';
import { serviceError } from '../../src/service/service-error.ts';
import type { MediaAnswer } from '../../src/service/read-records.ts';
import { createFileStore } from '../../src/store/file/file-store.ts';
import { NO_WITNESSES } from '../support/no-witnesses.ts';
import { err, ok } from '../../src/util/result.ts';
import { emptyState } from '../../src/log/fold.ts';

const NONE: RunState = emptyState();

/** What the checks of a campaign with these settings look at, its state and what the service answered. */
export function contextOf(
  given: { gaps?: Gaps; state?: Partial<RunState>; asked?: Partial<FreeAnswers> } = {},
): Context {
  const manifest: ExpandedManifest = {
    file: 'm.yaml',
    folder: '/campaign',
    outside: 'refuse',
    name: 'small',
    environment: { name: 'stage', baseUrl: 'https://visuals.example.com/api', gaps: given.gaps ?? {} },
    productSources: [],
    products: [],
    concepts: [],
    posts: [],
    limits: { total: 8, perKind: {}, mediaInFlight: 200, mediaTimeoutMs: 60_000 },
    outputs: false,
    postPlans: [],
    periods: [],
    locate: () => undefined,
  };
  const state = { ...NONE, ...given.state };
  const asked: FreeAnswers = { observed: [], media: [], ...given.asked };
  return {
    env: {},
    nodeVersion: '20.20.0',
    oldestNode: '20.20',
    manifest,
    target: 'm.yaml --env live',
    chosenBy: '--env',
    store: createFileStore({
      file: 'm.stage.state.jsonl',
      identity: { campaign: 'small', environment: 'stage', baseUrl: 'https://visuals.example.com/api' },
      witnesses: NO_WITNESSES,
    }),
    stateFolder: '.',
    workFolder: '.campaign',
    opened: ok({
      state,
      header: undefined,
      version: '',
      seq: 0,
      unended: undefined,
      diverged: undefined,
      runs: [],
      known: 0,
      warnings: [],
    }),
    state,
    emulatorDataGone: undefined,
    keySource: ok('VISUALS_KEY'),
    transport: undefined,
    tlsFiles: ok(undefined),
    proxy: undefined,
    examineDatabase: () => Promise.reject(new Error('the state is in a file')),
    tryStorage: () => Promise.reject(new Error('no storage is named')),
    reach: () => Promise.resolve({ target: 'visuals.example.com:443', connected: ok('192.0.2.1') }),
    ask: () => Promise.resolve(asked),
    found: new Map(),
    now: () => Date.UTC(2026, 10, 21),
  };
}

/** A request of the post `hero`, with one item `1`. */
export function requestOf(n: number, fields: Partial<RequestState>): [string, RequestState] {
  const address = `media-config/hero@${n}`;
  const item = {
    item: '1',
    fingerprint: 'f',
    inputs: {},
    payload: {
      post_type: 'image' as const,
      assets: [],
      variants: [],
      descriptions: [],
      metadata: { aspect_ratio: '1:1' },
    },
  };
  const payload = { post: 'hero', n, concept: { id: 'c' }, numberOfPosts: 1, items: [item], nextItem: 2 };
  return [address, { address, status: 'done', payload, at: '2026-11-21T00:00:00.000Z', ...fields }];
}

/** The post `media/hero/1@1`, read at a place: a record of the configuration `g1`, or a status. */
export function readingOf(template: string, answer: Partial<MediaAnswer> | number): MediumReading {
  const at = { address: 'media/hero/1@1', template, isKnown: true };
  if (typeof answer === 'number') {
    const error = serviceError({
      came: 'refused',
      request: 'GET /media/a/b/',
      status: answer,
    });
    return { ...at, isFound: false, answer: err(error) };
  }
  const record: MediaAnswer = {
    id: 'm1',
    generate_config: 'g1',
    estimated_duration: '',
    media_info: '',
    status: 'success',
    error_message: '',
  };
  return {
    ...at,
    isFound: record.generate_config === (answer.generate_config ?? 'g1'),
    answer: ok({ ...record, ...answer }),
  };
}
