import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasBrowser, openPage, openScreens } from '../browser.mjs';
import { bundled } from '../in-process.mjs';
import { makeBatches } from '../inputs.mjs';
import { run, startService } from '../measure.mjs';
import { campaign, environment } from '../program.mjs';

/** 5,000 posts. */
const SIZE = { products: 50, requests: 100, posts: 50, limits: { concurrency: 16 } };
const OUT = 'out/bench/default/report.html';

/** What each screen has when all of it is there. */
const SCREENS = { Coverage: ['.coverage tbody tr', 200], Timeline: ['.lane path', 3] };
const program = ['page.js', 'page-style.css'].map((name) =>
  fileURLToPath(new URL(`../../dist/${name}`, import.meta.url)),
);

export const report = [
  {
    name: 'report',
    title:
      'A report of 5,000 pictures: written from the cache, opened in Chromium from the disk; beside it written without the cache',
    pairs: 5,
    bounds:
      'Reading the thumbnails and writing 40 MB; without the cache, decoding each picture. In the browser: starting the program of the page (unpacking the data of 5,000 posts, the first layout), then decoding and painting 40 pictures; the other 36 MB are read afterwards.',
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
      const parts = join(folder, 'screens');
      mkdirSync(parts);
      const screens = join(parts, 'screens.html');
      await (await bundled('screens', parts))(screens, ...program);
      return {
        async ours() {
          const written = await write();
          const file = join(folder, OUT);
          const { size } = statSync(file);
          if (!hasBrowser) return { ...written, size };
          const [page, slow] = [await openPage(file, 1), await openPage(file, 4)];
          return { ...written, size, page, slow, screens: await openScreens(screens, SCREENS) };
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
      { label: 'size, MB', value: ({ ours }) => ours.size / 1e6, limit: 39 },
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
        label: 'milliseconds of the processor until all is read, on the thread of the page',
        value: ({ ours }) => ours.page?.cpuMs,
      },
      {
        label: 'longest task while scrolling, ms (0: none above 50)',
        value: ({ ours }) => ours.page?.longestTaskMs,
        limit: 100,
      },
      {
        label: 'milliseconds of the processor for scrolling by 60,000 pixels, on the thread of the page',
        value: ({ ours }) => ours.page?.scrollCpuMs,
      },
      {
        label: 'coverage of 200 products × 20 concepts, ms from the click until all cells are drawn',
        value: ({ ours }) => ours.screens?.Coverage,
        limit: 200,
      },
      {
        label: 'timeline of 10,000 requests, ms from the click until it is drawn',
        value: ({ ours }) => ours.screens?.Timeline,
      },
    ],
  },
];
