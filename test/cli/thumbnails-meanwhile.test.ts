import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { AppEvent } from '../../src/app/runtime.ts';
import { thumbnailsMeanwhile } from '../../src/cli/thumbnails-meanwhile.ts';
import { noisyPicture } from '../support/media-samples.ts';

const downloaded = (...files: readonly string[]): AppEvent => ({
  type: 'node-finished',
  address: 'download/hero/1',
  kind: 'download',
  action: 'create',
  end: 'done',
  ms: 1,
  files,
});

it('a run makes thumbnails while it waits, and none after its end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-meanwhile-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of ['a.png', 'b.png']) await writeFile(join(folder, name), await noisyPicture('png', 300));
  await writeFile(join(folder, 'cut.png'), 'cut');
  const workFolder = join(folder, '.campaign');
  const made = () => readdir(join(workFolder, 'thumbnails')).catch(() => []);
  const thumbnails = thumbnailsMeanwhile({ manifest: { folder }, workFolder }, { firstMs: 0 });
  // What is no picture is passed over, and so is what cannot be shown.
  thumbnails.follow(downloaded('film.mp4', 'a.png', 'cut.png', 'gone.png'));
  await vi.waitFor(async () => expect(await made()).toHaveLength(1), { timeout: 20_000 });
  await thumbnails.close();
  thumbnails.follow(downloaded('b.png'));
  await thumbnails.close();
  expect(await made()).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.256\.\d+x\d+\.[0-9a-f]{8}\.webp$/)]);
});
