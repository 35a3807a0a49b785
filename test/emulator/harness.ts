import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import type { ConceptRecord, MediaConfigRecord, MediaRecord, ProductRecord } from '../../src/service/wire.ts';
import {
  startEmulator,
  type Behaviour,
  type Emulator,
  type Ledger,
  type FaultRule,
} from '../../src/emulator/emulator.ts';
import { realClock, type Clock } from '../../src/util/clock.ts';
import { checkedFetch } from '../support/checked-fetch.ts';
import { departuresOf } from '../support/switch-departures.ts';

export interface Answer<T = unknown> {
  status: number;
  body: { data: T; message: string; status: string };
}

export interface Rig {
  url: string;
  dataDir: string;
  ledger: Ledger;
  emulator: Emulator;
  /** Sends JSON with a valid token. */
  call: <T>(method: string, route: string, body?: unknown) => Promise<Answer<T>>;
  /** Sends whatever fetch takes, with a valid token. */
  send: <T>(route: string, init: RequestInit) => Promise<Answer<T>>;
  token: string;
  close(): Promise<void>;
}

export const INSTANT = { image: 0, carousel: 0, video: 0 };

/** A folder that the caller removes. */
export function makeFolder(): Promise<string> {
  return fs.mkdtemp(path.join(os.tmpdir(), 'campaign-emulator-'));
}

/** An emulator with a token; without a folder given it gets one of its own that `close` removes. */
export async function startRig(
  options: {
    dataDir?: string;
    behaviour?: Partial<Behaviour>;
    clock?: Clock;
    random?: () => number;
    control?: 'on';
    onStandIn?: (words: string) => void;
    /** In force once the rig has its token. */
    orders?: readonly FaultRule[];
  } = {},
): Promise<Rig> {
  const dataDir = options.dataDir ?? (await makeFolder());
  const emulator = await startEmulator({
    dataDir,
    clock: options.clock ?? realClock,
    random: options.random ?? Math.random,
    behaviour: { generationMs: INSTANT, ...options.behaviour },
    control: options.control ?? 'off',
    ...(options.onStandIn ? { onStandIn: options.onStandIn } : {}),
  });
  const { url, ledger } = emulator;
  const service = { url, expected: departuresOf(options.behaviour) };
  const login = await checkedFetch(service, '/get_auth_token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: options.behaviour?.apiKey ?? 'any key' }),
  });
  const { data } = (await login.json()) as { data: { access_token: string } };
  const token = data.access_token;
  if (options.orders !== undefined) emulator.order(options.orders);
  const send = async <T>(route: string, init: RequestInit): Promise<Answer<T>> => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    const answer = await checkedFetch(service, route, { ...init, headers });
    return { status: answer.status, body: (await answer.json()) as Answer<T>['body'] };
  };
  return {
    url,
    dataDir,
    ledger,
    emulator,
    token,
    send,
    call: (method, route, body) =>
      send(route, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      }),
    async close() {
      await emulator.close();
      if (options.dataDir === undefined) await fs.rm(dataDir, { recursive: true });
    },
  };
}

/** A picture of something on a table, in the given colour. */
export function makePhoto(colour: string, width = 400, height = 300): Promise<Buffer> {
  const scene = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 40 30">
    <rect width="40" height="30" fill="#ccc4b8"/><rect y="20" width="40" height="10" fill="#a58b6f"/>
    <rect x="14" y="8" width="12" height="16" rx="2" fill="${colour}"/></svg>`;
  return sharp(Buffer.from(scene)).jpeg().toBuffer();
}

/** Uploads bytes as a file and gives the URL. */
export async function upload(rig: Rig, bytes: Buffer, name = 'photo.jpg'): Promise<string> {
  const answer = await uploadRaw<{ url: string }>(rig, bytes, name);
  return answer.body.data.url;
}

/** Uploads bytes as a file and gives the whole answer. */
export function uploadRaw<T>(rig: Rig, bytes: Buffer, name = 'photo.jpg'): Promise<Answer<T>> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  return rig.send<T>('/upload-media/', { method: 'POST', body: form });
}

/** A product with the given image URLs. */
export async function createProduct(
  rig: Rig,
  urls: readonly string[],
  name = 'Canvas tote',
): Promise<ProductRecord> {
  const body = {
    name,
    variant: 'product_with_label',
    media_urls: urls.map((url) => ({ type: 'image', url })),
  };
  return (await rig.call<ProductRecord>('POST', '/products/', body)).body.data;
}

/** A concept by words. */
export async function createConcept(rig: Rig, name = 'Morning'): Promise<ConceptRecord> {
  const body = { name, description: 'Soft side light, linen', ref_images: [] };
  return (await rig.call<ConceptRecord>('POST', '/concepts/', body)).body.data;
}

/** An item in the guide form, with what the schema form adds or a test changes. */
export function item(product: string, more: Record<string, unknown> = {}) {
  return {
    post_type: 'image',
    assets: [{ type: 'product', product_id: product }],
    metadata: { aspect_ratio: '4:5' },
    ...more,
  };
}

/** A media configuration of these items. */
export function requestPosts(
  rig: Rig,
  concept: string,
  items: readonly unknown[],
): Promise<Answer<MediaConfigRecord>> {
  return rig.call('POST', '/media-config/', {
    content_pillar: concept,
    number_of_posts: items.length,
    items,
  });
}

/** Asks for a medium until it is no longer being generated. */
export async function untilGenerated(rig: Rig, route: string): Promise<MediaRecord> {
  for (;;) {
    const answer = await rig.call<MediaRecord>('GET', route);
    if (answer.status === 200 && answer.body.data.status !== 'processing') return answer.body.data;
    // To ask without a pause takes more of the processor than the picture.
    await pause(5);
  }
}
