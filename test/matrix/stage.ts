/** Where the cells of one endpoint are played: a service, a door in front of it, and campaigns that stand just before its request. */
import { setTimeout as pause } from 'node:timers/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_BEHAVIOUR } from '../../src/emulator/behaviour.ts';
import { startEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { createClient, type Client, type ClientOptions } from '../../src/service/client.ts';
import { realClock } from '../../src/util/clock.ts';
import { startGate } from '../support/gate.ts';
import { applyPlace, CANARY_KEY } from './apply.ts';
import type { Endpoint, Ids } from './endpoints.ts';
import type { Fault } from './faults.ts';
import { makeRecords } from './make-records.ts';
import { timesPlayed } from './times-played.ts';
import { makePlace, type Place } from './place.ts';

export interface Stage {
  readonly emulator: Emulator;
  /** A campaign whose next apply sends the endpoint's request; each one has a folder of its own. */
  place(fault: Fault): Promise<Place>;
  /** A client of the service, and records that it may work on. */
  client(fault: Fault): Promise<{ client: Client; ids: Ids }>;
  /** Brings the fault about. */
  begin(fault: Fault): Promise<void>;
  /** Ends it. */
  lift(): Promise<void>;
  close(): Promise<void>;
}

const INSTANT = { generationMs: { image: 0, carousel: 0, video: 0 } };
const NEVER = { generationMs: { image: 1e9, carousel: 1e9, video: 1e9 } };

/** Sets one up; nothing goes wrong yet. */
export async function setStage({ route, kind, story }: Endpoint): Promise<Stage> {
  const isFinished = kind === 'poll' || kind === 'download' || kind === 'delete';
  const speed = isFinished ? INSTANT : NEVER;
  const dataDir = await mkdtemp(join(tmpdir(), 'campaign-matrix-service-'));
  const emulator = await startEmulator({
    dataDir,
    clock: realClock,
    random: Math.random,
    behaviour: speed,
  });
  const gate = await startGate(emulator.url);
  const places: Place[] = [];
  const clients: Client[] = [];
  const prepared = new Map<string, Promise<Place>>();

  function newClient(options: Partial<ClientOptions>): Client {
    const client = createClient({ baseUrl: emulator.url, apiKey: CANARY_KEY, clock: realClock, ...options });
    clients.push(client);
    return client;
  }

  async function prepare(url: string): Promise<Place> {
    const place = await makePlace(url);
    places.push(place);
    if (!story?.before) return place;
    const { manifest, wait = true } = story.before;
    await place.write(manifest);
    const { exit, text } = await applyPlace(place, { flags: { wait } });
    if (exit !== (wait ? 0 : 3)) throw new Error(`${route} cannot be prepared:\n${text}`);
    if (!wait) await untilGenerated();
    return place;
  }

  /** So that polls find it done: what they find otherwise is the fault. */
  async function untilGenerated(): Promise<void> {
    const made = emulator.ledger
      .entries()
      .findLast((entry) => entry.kind === 'media-config' && 'items' in entry);
    if (!made || !('items' in made)) throw new Error('no post was requested');
    const client = newClient({});
    for (;;) {
      const answer = await client.getMedia(made.id, made.items[0] ?? '');
      if (answer.ok && answer.value.status === 'success') return;
      // To ask without a pause takes more of the processor than the picture.
      await pause(5);
    }
  }

  return {
    emulator,
    async place({ means, nothingDone }) {
      const url =
        { gate: gate.url, tls: emulator.url.replace('http:', 'https:') }[means.by as string] ?? emulator.url;
      // What a cell deletes is not there for the next one.
      if (kind === 'delete' || !prepared.has(url)) prepared.set(url, prepare(url));
      const place = await (await prepared.get(url))?.copy();
      if (!place || !story) throw new Error(`${route} has no story`);
      places.push(place);
      const product = story.needsProduct ? (await makeRecords(newClient({}))).product : '';
      const gaps = nothingDone ? `  nothing_done: [${nothingDone.join(', ')}]\n` : '';
      await place.write(story.manifest.replace('PRODUCT_ID', product), gaps);
      return place;
    },
    async client({ means, timeouts }) {
      const ids = await makeRecords(newClient({}));
      const baseUrl = means.by === 'gate' ? gate.url : emulator.url;
      const client = newClient({ baseUrl, requestTimeouts: timeouts });
      return { client, ids };
    },
    async begin(fault) {
      const { means } = fault;
      switch (means.by) {
        case 'order': {
          const times = timesPlayed(fault, kind);
          emulator.order([{ on: route, do: means.do, ...(times === undefined ? {} : { when: { times } }) }]);
          return;
        }
        case 'switch':
          emulator.switch(means.behaviour);
          return;
        case 'gate':
          if (kind === 'token') await gate.shut(means.how);
          else gate.shutAfter(kind === 'download' ? 'GET /media/' : 'POST /get_auth_token', means.how);
          return;
        case 'tls':
        case 'clock':
      }
    },
    async lift() {
      emulator.order([]);
      emulator.switch({ ...DEFAULT_BEHAVIOUR, ...speed });
      await gate.open();
    },
    async close() {
      for (const client of clients) client.close();
      await gate.close();
      await emulator.close();
      for (const place of places) await place.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
