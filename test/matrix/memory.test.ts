/** Answers without end cost no memory: 100 MB of JSON, and a few kB that unpack to 1 GB. */
import { expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { everyNth } from '../sweep/stride.ts';
import { CANARY_KEY } from './apply.ts';
import { openService } from './open-service.ts';
import { makePlace } from './place.ts';

const MOST_KB = 300_000;

/**
 * Has a process say at its end how much memory it ever had, in kB. Not by `resourceUsage`: on Linux that begins with
 * what the parent had when it made the process, and a worker with many test files may have more than the limit.
 */
const TELL_PEAK = `--import data:text/javascript,${encodeURIComponent(
  'import{readFileSync}from"node:fs";process.on("exit",()=>process.stderr.write(readFileSync("/proc/self/status","utf8")))',
)}`;

const CASES = ['POST /products/', 'GET /media/{id}/{id}/', 'GET /files/{id}'].flatMap((route) =>
  (['huge', 'gzip-bomb'] as const).map((body) => [route, body] as const),
);

it.each(everyNth(CASES, 2))('%s: %s', async (route, body) => {
  const emulator = await openService();
  const place = await makePlace(emulator.url);
  await place.write(`concepts:
  morning: { description: Soft light }
products:
  tote: { images: ["https://cdn.example.com/tote.jpg"] }
posts:
  hero:
    concept: morning
    items: [{ post_type: image, products: [tote], aspect_ratio: "8:1" }]
`);
  emulator.order([{ on: route, when: { times: 1 }, do: { fault: 'body', body } }]);
  const { code, stderr } = await runCli(['apply', 'm.yaml'], {
    cwd: place.folder,
    env: { CAMPAIGN_API_KEY: CANARY_KEY, NODE_OPTIONS: TELL_PEAK },
  });
  await place.remove();
  expect(code, stderr).toBe(route.startsWith('POST') ? 4 : 0);
  expect(emulator.calls.some(({ played }) => played === 'body')).toBe(true);
  const kilobytes = Number(/VmHWM:\s+(\d+) kB/.exec(stderr)?.[1]);
  expect(kilobytes).toBeGreaterThan(0);
  expect(kilobytes).toBeLessThan(MOST_KB);
});
