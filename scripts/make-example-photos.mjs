// Makes every photo and reference image of examples/ again, the same bytes each time with the same version of sharp:
//   node scripts/make-example-photos.mjs [part of a file name]
// The products are small signed-distance models (example-photos/products), photographed by a ray marcher
// (example-photos/render.mjs) and developed with sharp. All of it takes some minutes; the results are committed.
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { develop } from './example-photos/develop.mjs';
import { neonStreet } from './example-photos/moods.mjs';
import { renderScene } from './example-photos/render.mjs';
import { shots } from './example-photos/shots.mjs';

if (isMainThread) await takeAll(process.argv[2] ?? '');
else await take(shots()[workerData]);

async function takeAll(wanted) {
  const queue = [...shots().entries()].filter(([, shot]) => shot.file.includes(wanted));
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await runWorker(next[0]);
      console.log(next[1].file);
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
}

function runWorker(index) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: index });
    worker.once('error', reject);
    worker.once('exit', resolve);
  });
}

async function take(shot) {
  const { file, width, height, seed } = shot;
  const path = join(dirname(fileURLToPath(import.meta.url)), '../examples', file);
  const jpeg =
    shot.scene === undefined
      ? await neonStreet({ ...shot.street, width, height, seed })
      : await develop(renderScene(shot.scene, shot.camera, { width, height }), {
          ...shot.film,
          width,
          height,
          seed,
        });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, jpeg);
}
