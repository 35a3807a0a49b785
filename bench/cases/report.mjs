import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasBrowser, openPage } from '../browser.mjs';
import { makeBatches } from '../inputs.mjs';
import { run, startService } from '../measure.mjs';
import { campaign, environment } from '../program.mjs';

/** 5,000 posts. */
const SIZE = { products: 50, requests: 100, posts: 50, limits: { concurrency: 16 } };
const OUT = 'out/bench/default/report.html';

export const report = [
  {
    name: 'report',
    title:
      'A report of 5,000 pictures: written from the cache, opened in Chromium from the disk; beside it written without the cache',
    pairs: 5,
    bounds:
      'Reading the thumbnails and writing 40 MB; without the cache, decoding each picture. In the browser: reading the file, and the first layout.',
    async prepare(folder) {
      const service = await startService(0, 'photos');
      const { manifest } = makeBatches(folder, SIZE);
      const options = { cwd: folder, env: environment(service.url) };
      await run(campaign('apply', manifest, '--quiet'), options);
      const write = () => run(campaign('report', manifest), options);
      const cache = join(folder, '.campaign', 'thumbnails');
      const other = async () => {
        rmSync(cache, { recursive: true, force: true });
        return write();
      };
      await other();
      return {
        async ours() {
          const written = await write();
          const file = join(folder, OUT);
          const { size } = statSync(file);
          if (!hasBrowser) return { ...written, size };
          return { ...written, size, page: await openPage(file, 1), slow: await openPage(file, 4) };
        },
        other,
        end: () => service.stop(),
      };
    },
    measures: [
      { label: 'seconds to write it', value: ({ ours }) => ours.wall },
      { label: 'seconds of the processor', value: ({ ours }) => ours.cpu },
      { label: 'seconds without the cache', value: ({ other }) => other.wall },
      { label: 'peak memory, MB', value: ({ ours }) => ours.mb, limit: 400 },
      { label: 'size, MB', value: ({ ours }) => ours.size / 1e6 },
      {
        label: 'seconds until pictures are visible',
        value: ({ ours }) => ours.page && ours.page.shownMs / 1000,
        limit: 0.5,
      },
      {
        label: 'the same on a processor four times as slow',
        value: ({ ours }) => ours.slow && ours.slow.shownMs / 1000,
        limit: 1.3,
      },
      {
        label: 'longest task while scrolling, ms (0: none above 50)',
        value: ({ ours }) => ours.page?.longestTaskMs,
        limit: 100,
      },
    ],
  },
];
