/** One measurement of bench.mjs, in a process of its own: `make | parse | load | sync | append` FILE LINES. */
import * as fs from 'node:fs/promises';
import { createReadStream, writeSync, openSync, closeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { StateEvent } from '../../src/model/state-event.ts';
import { encodeHeader } from '../../src/store/file/header.ts';
import { countNodes } from '../../src/log/fold-state.ts';
import { loadLog } from '../../src/store/file/load-log.ts';
import { acquireLock, type Lock } from '../../src/store/file/lock.ts';
import { logFileOf, LogWriter } from '../../src/store/file/log-writer.ts';
import { encodeRecord } from '../../src/store/file/record.ts';
import { openStateFile } from '../../src/store/file/state-file.ts';
import { statePaths } from '../../src/store/file/work-folder.ts';
import { realClock } from '../../src/util/clock.ts';

const AT = '2026-03-01T10:00:00.000Z';
/** Who append at once, each the next event once its last one is durable. */
const CALLERS = 500;
const EVENTS = 40_000;

const [, , what = '', file = '', count = '0'] = process.argv;
const IDENTITY = { campaign: 'bench', environment: 'stage', baseUrl: 'https://stage.example.com/api' };
const MEASURES: Readonly<Record<string, () => Promise<object>>> = { make, parse, load, sync, append };
const measure = MEASURES[what];
if (!measure) throw new Error(`unknown measurement ${what}`);
console.log(JSON.stringify(await measure()));

/**
 * A log as it is before it is compacted: every tenth line belongs to a new post, which is requested, generated and
 * downloaded; the rest are attempts that were throttled. A million lines know 95,000 nodes.
 */
function* events(lines: number): Generator<StateEvent> {
  for (let made = 0, n = 0; made < lines; n++, made += 20) {
    if (n % 2 === 0) yield* postEvents(n);
    else for (let k = 0; k < 4; k++) yield learned(n, k);
    for (let k = 0; k < 16; k++) yield productEvent(n, k);
  }
}

function* postEvents(n: number): Generator<StateEvent> {
  const post = `grid/morning+tote-${n}+9x16`;
  const item = {
    item: '1',
    fingerprint: fingerprint(n),
    inputs: { post_type: 'image' },
    payload: {
      post_type: 'image' as const,
      assets: [{ type: 'product', product: { address: `product/tote-${n % 1000}` } }],
      variants: [],
      descriptions: [],
      metadata: { aspect_ratio: '9:16' },
    },
  };
  const address = `media-config/${post}@1`;
  const concept = { address: 'concept/morning' };
  const request = { post, n: 1, concept, numberOfPosts: 1, items: [item], nextItem: 2 };
  yield { type: 'intent', at: AT, address, attempt: 1, inputs: {}, fingerprint: fingerprint(n), request };
  const result = { id: id(n), concept: id(0), items: { 1: { id: id(n) } } };
  yield { type: 'created', at: AT, address, result };
  const urls = [`https://cdn.example.com/${n}.png`];
  yield { type: 'generated', at: AT, address: `media/${post}/1@1`, result: { id: id(n), urls } };
  const files = [
    { path: `out/${n}.png`, sha256: fingerprint(n).repeat(2), bytes: n, contentType: 'image/png' },
  ];
  yield { type: 'downloaded', at: AT, address: `download/${post}/1@1`, result: { media: id(n), files } };
}

function learned(n: number, k: number): StateEvent {
  return { type: 'learned', at: AT, name: `fact-${k}`, value: `/media/{config.id}/{item.id}/${n}` };
}

/** A product in a storm of throttling: sent, told to wait, sent again, and at last created. */
function productEvent(n: number, k: number): StateEvent {
  const product = n % 20_000;
  const address = `product/tote-${product}`;
  const inputs = { name: `Tote ${product}`, variant: 'product_with_label', images: [fingerprint(product)] };
  const attempt = k / 2 + 1;
  if (k % 2 === 0)
    return { type: 'intent', at: AT, address, attempt, inputs, fingerprint: fingerprint(product) };
  const problem = {
    summary: 'The service asks to slow down',
    detail: 'POST /products/: too many requests (429)',
  };
  return k === 15
    ? { type: 'created', at: AT, address, result: { id: id(product) } }
    : { type: 'throttled', at: AT, address, problem };
}

function fingerprint(n: number): string {
  return n.toString(16).padStart(32, '0');
}

function id(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

async function make(): Promise<object> {
  const handle = openSync(file, 'w', 0o600);
  const { line, crc } = encodeHeader('lineage', IDENTITY);
  let text = line;
  let end = { seq: 0, crc };
  let bytes = 0;
  for (const event of events(Number(count))) {
    const sealed = encodeRecord(event, 'run-1', end);
    end = sealed.end;
    text += sealed.line;
    if (text.length < 1 << 20) continue;
    bytes += writeSync(handle, text);
    text = '';
  }
  bytes += writeSync(handle, text);
  closeSync(handle);
  return { lines: end.seq, bytes };
}

/** Time on the clock and of the processor: the latter tells more where others keep the machine busy. */
function stopwatch(): () => { ms: number; cpuMs: number } {
  const start = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { ms: performance.now() - start, cpuMs: (user + system) / 1000 };
  };
}

/** The least that any reader of the file has to do. */
async function parse(): Promise<object> {
  const read = stopwatch();
  let seq = 0;
  for await (const line of createInterface({ input: createReadStream(file, { highWaterMark: 1 << 20 }) })) {
    seq = (JSON.parse(line) as { seq?: number }).seq ?? 0;
  }
  return { ...read(), seq };
}

async function load(): Promise<object> {
  const opened = await openStateFile(file, 'read');
  if (!opened.ok || !opened.value) throw new Error('no state');
  const read = stopwatch();
  const loaded = await loadLog(opened.value, { file });
  const time = read();
  if (!loaded.ok) throw new Error(loaded.error.detail);
  const mb = Math.round(process.resourceUsage().maxRSS / 1024);
  return { ...time, mb, nodes: countNodes(loaded.value.state) };
}

/** The least that durable lines cost: the JSON of as many as come at once, written and synced. */
async function sync(): Promise<object> {
  const handle = await fs.open(`${file}.sync`, 'w');
  const all = [...events(EVENTS)];
  const start = performance.now();
  for (let n = 0; n < all.length; n += CALLERS) {
    const lines = all.slice(n, n + CALLERS).map((event) => `${JSON.stringify(event)}\n`);
    await handle.write(lines.join(''));
    await handle.datasync();
  }
  const ms = performance.now() - start;
  await handle.close();
  return { ms };
}

/** As in a run: many wait for one sync, then come again. */
async function append(): Promise<object> {
  const place = `${file}.append`;
  const { line, crc } = encodeHeader('lineage', IDENTITY);
  await fs.writeFile(place, line);
  const handle = await fs.open(place, 'a');
  const from = { run: 'run-1', chain: { seq: 0, crc }, length: Buffer.byteLength(line) };
  const lock = await lockOf(place);
  const writer = new LogWriter(logFileOf(handle, place, `${place}.aside`), from, (end) =>
    lock.note('lineage', end),
  );
  const all = [...events(EVENTS)];
  const left = all.values();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (const event of left) await writer.append([event]);
    }),
  );
  const ms = performance.now() - start;
  await writer.close();
  await lock.release();
  return { ms, perSecond: (all.length / ms) * 1000 };
}

/** Each commit is noted in the lock file. */
async function lockOf(place: string): Promise<Lock> {
  const paths = statePaths(place);
  const lock = await acquireLock(paths, { lockTimeoutMs: 0, clock: realClock, command: 'bench' });
  if (!lock.ok) throw new Error(lock.error.detail);
  return lock.value;
}
