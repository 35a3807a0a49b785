import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLedger } from '../../src/emulator/emulator.ts';
import { realClock } from '../../src/util/clock.ts';
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import {
  createConcept,
  createProduct,
  item,
  makeFolder,
  makePhoto,
  requestPosts,
  startRig,
  untilGenerated,
  upload,
} from './harness.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await makeFolder();
});
afterEach(() => fs.rm(dataDir, { recursive: true }));

const NEVER = { image: 1e9, carousel: 1e9, video: 1e9 };

describe('a second start with the same folder', () => {
  it('finds records, files, tokens and finished media', async () => {
    const first = await startRig({ dataDir });
    const url = await upload(first, await makePhoto('#446'));
    const product = await createProduct(first, [url]);
    const concept = await createConcept(first);
    const config = (await requestPosts(first, concept.id, [item(product.id)])).body.data;
    const medium = await untilGenerated(first, `/media/${config.id}/${config.items[0]?.id}/`);
    await first.close();

    const second = await startRig({ dataDir });
    const old = { authorization: `Bearer ${first.token}` };
    expect((await second.send(`/products/${product.id}/`, { headers: old })).body.data).toEqual(product);
    expect((await second.call('GET', `/media-config/${config.id}/`)).body.data).toEqual(config);
    const again = await untilGenerated(second, `/media/${config.id}/${config.items[0]?.id}/`);
    expect(again).toEqual({ ...medium, media_info: medium.media_info.replace(first.url, second.url) });
    for (const file of [url, ...(JSON.parse(medium.media_info) as string[])]) {
      expect((await fetch(file.replace(first.url, second.url))).status).toBe(200);
    }
    await second.close();
  });

  it('finishes what the first left, from photos uploaded at another port', async () => {
    const first = await startRig({ dataDir, behaviour: { generationMs: NEVER } });
    const product = await createProduct(first, [await upload(first, await makePhoto('#446'))]);
    const concept = await createConcept(first);
    const items = Array.from({ length: 3 }, () => item(product.id));
    const config = (await requestPosts(first, concept.id, items)).body.data;
    await first.close();
    const later = { ...realClock, now: () => realClock.now() + NEVER.image };
    const second = await startRig({ dataDir, clock: later });
    for (const { id } of config.items) {
      expect((await untilGenerated(second, `/media/${config.id}/${id}/`)).status).toBe('success');
    }
    // The photo belongs to the folder, whatever port it was uploaded at.
    const late = (await requestPosts(second, concept.id, [item(product.id)])).body.data;
    expect((await untilGenerated(second, `/media/${late.id}/${late.items[0]?.id}/`)).status).toBe('success');
    await second.close();
  });

  it('gives ids of its own where the randomness repeats itself', async () => {
    const ids: string[] = [];
    for (let start = 0; start < 2; start += 1) {
      const rig = await startRig({ dataDir, random: seededRandom('same') });
      ids.push((await createConcept(rig)).id, (await createConcept(rig)).id);
      await rig.close();
    }
    expect(new Set(ids).size).toBe(4);
  });

  it('cuts a line that was never finished, at every length of it', async () => {
    const rig = await startRig({ dataDir, behaviour: { generationMs: NEVER } });
    const concept = await createConcept(rig);
    const kept = readLedger(dataDir);
    await createConcept(rig, 'Night');
    await rig.close();
    const file = path.join(dataDir, 'ledger.jsonl');
    const whole = await fs.readFile(file);
    const start = whole.indexOf(0x0a) + 1;
    for (let end = start; end < whole.length; end += 37) {
      await fs.writeFile(file, whole.subarray(0, end));
      expect(readLedger(dataDir)).toEqual(kept);
    }
    const next = await startRig({ dataDir });
    const product = await createProduct(next, ['https://cdn.example.com/1.jpg']);
    await next.close();
    expect(readLedger(dataDir).map(({ n, id }) => [n, id])).toEqual([
      [1, concept.id],
      [2, product.id],
    ]);
  });

  it('removes uploads that were cut off', async () => {
    await (await startRig({ dataDir })).close();
    await fs.writeFile(path.join(dataDir, 'files', 'x.part'), 'half');
    await (await startRig({ dataDir })).close();
    expect(await fs.readdir(path.join(dataDir, 'files'))).toEqual([]);
  });
});

/** A process of its own: creates concepts, writes each id that was answered, and kills itself in the middle of more. */
const KILLED_EMULATOR = `
import { writeSync } from 'node:fs';
import { createConcept, startRig } from './harness.ts';
const rig = await startRig({ dataDir: process.argv[2] });
const create = async () => {
  const { id } = await createConcept(rig);
  writeSync(1, id + '\\n');
};
for (let count = 0; count < 5; count += 1) await create();
void Promise.all(Array.from({ length: 20 }, create));
await create();
process.kill(process.pid, 'SIGKILL');
`;

describe('the ledger', () => {
  it('is empty where there is none', () => {
    expect(readLedger(path.join(dataDir, 'nothing'))).toEqual([]);
  });

  it('is one JSON line per request that took effect', async () => {
    const rig = await startRig({ dataDir });
    await createConcept(rig);
    await rig.call('POST', '/products/', {});
    await rig.close();
    const text = await fs.readFile(path.join(dataDir, 'ledger.jsonl'), 'utf8');
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(readLedger(dataDir)).toEqual(rig.ledger.entries());
  });

  it('holds every answered create when the process is killed', async () => {
    const script = path.join(dataDir, 'killed.mjs');
    const { build } = await import('esbuild');
    await build({
      stdin: { contents: KILLED_EMULATOR, resolveDir: import.meta.dirname, loader: 'ts' },
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    });
    const modules = path.join(process.cwd(), 'node_modules');
    await fs.symlink(modules, path.join(dataDir, 'node_modules'));
    const run = promisify(execFile)(process.execPath, [script, path.join(dataDir, 'data')]);
    const { stdout, signal } = (await run.catch((error: unknown) => error)) as {
      stdout: string;
      signal: string;
    };
    expect(signal).toBe('SIGKILL');
    const answered = stdout.trim().split('\n');
    expect(answered.length).toBeGreaterThanOrEqual(5);
    const kept = readLedger(path.join(dataDir, 'data')).map(({ id }) => id);
    expect(kept).toEqual(expect.arrayContaining(answered));
  });
});
