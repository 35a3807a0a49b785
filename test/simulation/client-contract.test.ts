/** The simulated client against the real one before the emulator: what the simulations prove holds for both. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type FaultRule, startEmulator } from '../../src/emulator/emulator.ts';
import { type Client, createClient } from '../../src/service/client.ts';
import type { ServiceError, ServiceErrorFacts } from '../../src/service/service-error.ts';
import { realClock } from '../../src/util/clock.ts';
import type { Result } from '../../src/util/result.ts';
import type { Creation } from '../support/ledger-check.ts';
import { createSimulatedClient, type SimulatedFault } from '../support/simulated-client.ts';
import { createSimulatedService } from '../support/simulated-service.ts';

const IDLE_MS = 600;
const PRODUCT = { name: 'Tote', variant: 'plain', media_urls: [] };

interface Subject {
  readonly client: Client;
  /** What the service has created, by kind. */
  readonly created: () => Record<string, number>;
}

interface Fault {
  readonly simulated: SimulatedFault;
  /** `closed`: nobody listens. */
  readonly emulated: FaultRule['do'] | 'closed';
}

type Start = (fault?: Fault) => Promise<Subject>;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function countKinds(ledger: readonly (Creation & { readonly action: string })[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, action } of ledger) if (action === 'create') counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

const startSimulated: Start = async (fault) => {
  const service = createSimulatedService({ clock: realClock, estimate: () => '0' });
  const { client } = createSimulatedClient({
    service,
    clock: realClock,
    latency: () => 1,
    idleMs: IDLE_MS,
    fault: ({ route }) => (route.endsWith('/get_auth_token') ? undefined : fault?.simulated),
  });
  return { client, created: () => countKinds(service.ledger) };
};

const startReal: Start = async (fault) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'campaign-contract-'));
  const emulator = await startEmulator({
    dataDir,
    clock: realClock,
    random: Math.random,
    behaviour: { generationMs: { image: 0, carousel: 0, video: 0 } },
  });
  const client = createClient({
    baseUrl: emulator.url,
    apiKey: 'key',
    clock: realClock,
    ...(fault ? { requestTimeouts: { idleMs: IDLE_MS } } : {}),
  });
  const close = () => emulator.close();
  ends.push(async () => {
    client.close();
    if (fault?.emulated !== 'closed') await close();
    await rm(dataDir, { recursive: true, force: true });
  });
  if (fault) {
    // The token is there before anything goes wrong.
    await client.getProduct('00000000-0000-4000-8000-000000000000');
    if (fault.emulated === 'closed') {
      await close();
      // Else the kept connection would be tried first, and its end says less.
      client.woke();
    } else emulator.order([{ on: '*', do: fault.emulated }]);
  }
  return { client, created: () => countKinds(emulator.ledger.entries()) };
};

const gone = { came: 'no-answer' } as const;
const FAULTS: readonly (readonly [string, Fault, Partial<ServiceErrorFacts>, 'done' | 'not done'])[] = [
  [
    'nobody listens',
    { simulated: 'refused', emulated: 'closed' },
    { came: 'not-sent', code: 'ECONNREFUSED' },
    'not done',
  ],
  [
    'cut before',
    { simulated: 'cut', emulated: { fault: 'cut', effect: 'before', reset: true } },
    gone,
    'not done',
  ],
  [
    'cut after',
    { simulated: 'cut-done', emulated: { fault: 'cut', effect: 'after', reset: true } },
    gone,
    'done',
  ],
  [
    'silence before',
    { simulated: 'silent', emulated: { fault: 'silence', effect: 'before' } },
    { ...gone, code: 'ETIMEDOUT' },
    'not done',
  ],
  [
    'silence after',
    { simulated: 'silent-done', emulated: { fault: 'silence', effect: 'after' } },
    { ...gone, code: 'ETIMEDOUT' },
    'done',
  ],
  [
    'garbage',
    { simulated: 'garbage', emulated: { fault: 'body', body: 'html' } },
    { came: 'unusable' },
    'done',
  ],
  ...[400, 404, 409, 500, 503].map((status) => {
    const emulated = { fault: 'status', status } as const;
    const refusal = status === 409 ? 'unproven' : 'refused';
    const came = status >= 500 ? 'server-error' : refusal;
    return [`${status}`, { simulated: { status }, emulated }, { came, status }, 'not done'] as const;
  }),
  [
    '429',
    {
      simulated: { status: 429, retryAfter: 7 },
      emulated: { fault: 'status', status: 429, retryAfter: 7 },
    },
    { came: 'throttled', status: 429, retryAfterMs: 7000 },
    'not done',
  ],
];

const subjects: readonly (readonly [string, Start])[] = [
  ['simulated', startSimulated],
  ['real, before the emulator', startReal],
];

describe.each(subjects)('the %s client', (_, start) => {
  it('carries a post from its photo to its file', async () => {
    const { client, created } = await start();
    const folder = await mkdtemp(join(tmpdir(), 'campaign-contract-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const photo = join(folder, 'photo.png');
    await writeFile(photo, PNG);
    const sha256 = createHash('sha256').update(PNG).digest('hex');
    const file = { path: photo, filename: 'photo.png', contentType: 'image/png', sha256 };
    const uploaded = value(await client.uploadMedia(file));
    expect(uploaded).toMatch(/^https?:/);
    const images = [{ type: 'image', url: uploaded }];
    const product = value(await client.createProduct({ ...PRODUCT, media_urls: images }));
    const concept = value(await client.createConcept({ name: 'Morning', description: null, ref_images: [] }));
    const config = value(
      await client.createMediaConfig({
        content_pillar: concept.id,
        number_of_posts: 1,
        items: [
          {
            post_type: 'image',
            assets: [{ type: 'product', product_id: product.id, url: uploaded }],
            variants: [],
            descriptions: [],
            metadata: { aspect_ratio: '1:1' },
          },
        ],
      }),
    );
    const [item] = config.items;
    expect([config.items.length, config.concept_id]).toEqual([1, concept.id]);
    const nowhere = await client.getMedia(item?.id ?? '', config.id);
    expect(nowhere).toMatchObject({ ok: false, error: { came: 'refused', status: 404 } });
    let medium = value(await client.getMedia(config.id, item?.id ?? ''));
    for (let polls = 0; medium.status !== 'success' && polls < 1000; polls += 1) {
      medium = value(await client.getMedia(config.id, item?.id ?? ''));
    }
    expect(medium).toMatchObject({ status: 'success', generate_config: config.id });
    const [url = ''] = JSON.parse(medium.media_info) as string[];
    expect(value(await client.download({ url, path: join(folder, 'file') })).bytes).toBeGreaterThan(0);

    expect(value(await client.getProduct(product.id)).name).toBe('Tote');
    expect(value(await client.patchProduct(product.id, { name: 'Bag' })).id).toBe(product.id);
    expect(value(await client.getProduct(product.id)).name).toBe('Bag');
    value(await client.putConcept(concept.id, { name: 'Night', description: null, ref_images: [] }));
    expect(value(await client.getMediaConfig(config.id)).id).toBe(config.id);
    expect(await client.deleteProduct(product.id)).toEqual({ ok: true, value: undefined });
    expect(await client.getProduct(product.id)).toMatchObject({ ok: false, error: { status: 404 } });
    expect(created()).toEqual({ upload: 1, product: 1, concept: 1, 'media-config': 1 });
  });

  it.each(FAULTS)('gives the same for %s', async (_name, fault, error, effect) => {
    const { client, created } = await start(fault);
    expect(await client.createProduct(PRODUCT)).toMatchObject({ ok: false, error });
    expect(created()).toEqual(effect === 'done' ? { product: 1 } : {});
  });

  it('sends nothing for a request that was aborted before', async () => {
    const { client, created } = await start();
    const signal = AbortSignal.abort();
    expect(await client.createProduct(PRODUCT, { signal })).toMatchObject({
      ok: false,
      error: { came: 'aborted' },
    });
    expect(created()).toEqual({});
  });
});

function value<T>(result: Result<T, ServiceError>): T {
  if (!result.ok) throw new Error(result.error.problem.detail);
  return result.value;
}

/** A valid PNG of 2 × 2 pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFklEQVQImWM4EWVjE3WC4cOHZyJyGgArTAXdb0BEYgAAAABJRU5ErkJggg==',
  'base64',
);
