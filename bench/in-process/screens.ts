/** Writes a report whose coverage has 200 products × 20 concepts, and whose last run sent 10,000 requests. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { RunSummary } from '../../src/model/run-summary.ts';
import { pageHtml } from '../../src/report/page-html.ts';
import type { SheetStatus } from '../../src/views/report-data.ts';
import { timelineOf } from '../../src/views/run-timeline.ts';
import { sheetData, sheetPost } from '../../test/support/sheet-data.ts';

const [PRODUCTS, CONCEPTS, REQUESTS] = [200, 20, 10_000];
const STATUSES: readonly SheetStatus[] = ['done', 'done', 'done', 'pending', 'failed', 'missing', 'unknown'];
const START = '2026-11-22T10:00:00.000Z';

const [file = '', script = '', style = ''] = process.argv.slice(2);
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const products = numbers(PRODUCTS).map((n) => ({ key: `product-${n}`, name: `Product ${n}`, photos: [] }));
const concepts = numbers(CONCEPTS).map((n) => ({ key: `concept-${n}`, name: `Concept ${n}` }));
const posts = products.flatMap(({ key: product }, row) =>
  concepts.map(({ key: concept }, column) =>
    sheetPost(`grid/${concept}+${product}/1`, {
      product,
      concept,
      status: STATUSES[(row * 7 + column * 3) % STATUSES.length] ?? 'done',
      outOfDate: (row + column) % 11 === 0,
    }),
  ),
);

const began = Date.parse(START);
const attempts = numbers(REQUESTS).map((n) => {
  const take = `grid/${n}`;
  const address = [`media-config/${take}@1`, `media/${take}/1@1`, `download/${take}/1@1`][n % 3] ?? '';
  const begin = began + n * 30;
  return { address, begin, end: begin + 200 + (n % 50) * 10, came: n % 97 ? 'result' : 'busy' } as const;
});
const end = { at: new Date(began + REQUESTS * 30 + 1_000).toISOString(), outcome: 'succeeded' };
const run = { run: 'r1', command: 'apply', startedAt: START, end };
const timeline = timelineOf(run as unknown as RunSummary, { events: [], attempts, now: undefined });
const data = sheetData(posts, { products, concepts, runs: [timeline] });
const parts = { data, script: readFileSync(script, 'utf8'), style: readFileSync(style, 'utf8') };
writeFileSync(file, [...pageHtml(parts)].join(''));
console.log(JSON.stringify({ requests: timeline.lanes.reduce((sum, lane) => sum + lane.requests, 0) }));
