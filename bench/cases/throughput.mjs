/** A whole campaign against the service, and the same requests by a script. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeBatches } from '../inputs.mjs';
import { run, startService } from '../measure.mjs';
import { campaign, environment, SCRIPT } from '../program.mjs';

/** 906 requests: 1 token, 5 concepts, 40 uploads, 40 products, 20 configurations, 400 polls, 400 downloads. */
const SMALL = { products: 40, requests: 20, posts: 20 };
/** 102,006 requests and 10,206. */
const LARGE = { products: 500, requests: 1000, posts: 50 };
const TENTH = { products: 50, requests: 100, posts: 50 };

export const throughput = [
  latencyCase({
    latencyMs: 20,
    spanLimit: 1.15,
    bounds:
      "The main thread, 1.0 to 1.2 s of the processor, and not the slots: of all samples V8's optimizing compiler takes 18 % (on helper threads), builtins 22 %, other native code 23 %, the kernel 18 % (sockets, syncs, the thread pool), garbage collection 5 %.",
  }),
  latencyCase({
    latencyMs: 100,
    spanLimit: 1.08,
    bounds:
      'The start (loading, reading, planning) until the first request, and one round trip between each two kinds of nodes at the ends of the run.',
  }),
  {
    name: 'flood',
    title: '102,006 requests, latency 0, 64 at once; beside it a tenth of the posts',
    pairs: 3,
    bounds:
      "Processor time: about 2.5 ms for each post with its poll and its verified download, of which native code is 28 %, the kernel 18 %, builtins 17 %, V8's optimizing compiler 16 % and garbage collection 10 %; no function of ours has more than 2 % of its own. The script checks nothing, syncs nothing and decodes no picture.",
    async prepare(folder) {
      const whole = await throughputPair(folder, { latencyMs: 0, slots: 64, size: LARGE });
      const tenth = await throughputPair(join(folder, 'tenth'), { latencyMs: 0, slots: 64, size: TENTH });
      return {
        ours: async () => ({ ...(await whole.ours()), tenth: await tenth.ours() }),
        other: () => whole.other(),
        end: () => Promise.all([whole.end(), tenth.end()]),
      };
    },
    measures: [
      { label: 'whole process, seconds', value: ({ ours }) => ours.wall, limit: 45 },
      { label: 'whole process ÷ the script', value: ({ ours, other }) => ours.wall / other.wall },
      { label: 'peak memory, MB', value: ({ ours }) => ours.mb, limit: 350 },
      {
        label: 'memory above 100 MB ÷ that of a tenth of the posts',
        value: ({ ours }) => (ours.mb - 100) / Math.max(1, ours.tenth.mb - 100),
        limit: 2,
      },
      { label: 'seconds of the processor', value: ({ ours }) => ours.cpu },
      { label: 'requests', value: ({ ours }) => ours.requests },
    ],
  },
];

function latencyCase({ latencyMs, spanLimit, bounds }) {
  const slots = 16;
  const bound = ({ requests }) => (requests * latencyMs) / slots / 1000;
  return {
    name: `latency-${latencyMs}`,
    title: `906 requests, ${latencyMs} ms of latency, ${slots} at once`,
    bounds,
    async prepare(folder) {
      const pair = await throughputPair(folder, { latencyMs, slots, size: SMALL });
      const urls = Array.from({ length: 906 }, (_, n) => `${pair.url}/media/curl/${n}/`).join('\n');
      const curl = ['xargs', '-P', String(slots), '-n', '1', 'curl', '-sS', '-o', '/dev/null'];
      return {
        ...pair,
        other: async () => ({ ...(await pair.other()), curl: await run(curl, { input: urls }) }),
      };
    },
    measures: [
      {
        label: 'first to last request ÷ bound',
        value: ({ ours }) => ours.span / bound(ours),
        limit: spanLimit,
      },
      { label: 'the same of the script', value: ({ other }) => other.span / bound(other) },
      {
        label: 'as many requests by curl under xargs ÷ bound',
        value: ({ other }) => other.curl.wall / bound(other),
      },
      {
        label: 'first to last request ÷ the script',
        value: ({ ours, other }) => ours.span / other.span,
        limit: 1,
      },
      { label: 'whole process ÷ the script', value: ({ ours, other }) => ours.wall / other.wall, limit: 1 },
      { label: 'whole process, seconds', value: ({ ours }) => ours.wall },
      {
        label: 'seconds of the processor',
        value: ({ ours }) => ours.cpu,
        ...(latencyMs === 20 && { limit: 1.6 }),
      },
      { label: 'seconds of the processor, script', value: ({ other }) => other.cpu },
      { label: 'peak memory, MB', value: ({ ours }) => ours.mb },
      { label: 'requests', value: ({ ours }) => ours.requests },
    ],
  };
}

async function throughputPair(folder, { latencyMs, slots, size }) {
  const service = await startService(latencyMs);
  const made = makeBatches(folder, { ...size, limits: { concurrency: slots } });
  /** Seconds from the first request to the last answer, and how many there were. */
  const measured = async (command, options) => {
    await service.stats();
    const cost = await run(command, options);
    const { requests, firstMs, lastMs, kinds } = await service.stats();
    return { ...cost, requests, kinds, span: (lastMs - firstMs) / 1000 };
  };
  return {
    async ours() {
      for (const left of ['out', 'bench.default.state.jsonl', '.campaign'])
        rmSync(join(folder, left), { recursive: true, force: true });
      return measured(campaign('apply', made.manifest, '--yes'), {
        cwd: folder,
        env: environment(service.url),
      });
    },
    async other() {
      rmSync(join(folder, 'out-of-script'), { recursive: true, force: true });
      const { products, concepts, requests, posts } = made;
      const shape = JSON.stringify({ products, concepts, requests, posts });
      return measured([process.execPath, SCRIPT, service.url, folder, String(slots), shape], { cwd: folder });
    },
    url: service.url,
    end: () => service.stop(),
  };
}
