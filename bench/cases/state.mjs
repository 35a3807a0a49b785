/** The parts that every run goes through, each in a process of its own: reading the state, writing it, scheduling, all. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundled } from '../in-process.mjs';
import { growth } from '../growth.mjs';
import { makeGrid } from '../inputs.mjs';

const LINES = 1_000_000;

export const state = [
  {
    name: 'state-million',
    title:
      'A state of a million lines (95,000 nodes) is read, checked and folded; beside it JSON.parse of the same lines',
    pairs: 3,
    bounds: 'JSON.parse of each line is two thirds of it; the rest is the CRC-32 of each line and the fold.',
    async prepare(folder) {
      const measure = await bundled('state', folder);
      const file = join(folder, 'bench.state.jsonl');
      const sizes = [LINES / 100, LINES / 10, LINES];
      const load = (lines) => measure('load', `${file}.${lines}`, lines);
      for (const lines of sizes) await measure('make', `${file}.${lines}`, lines);
      return {
        ours: async () => ({
          hundredth: await load(sizes[0]),
          tenth: await load(sizes[1]),
          ...(await load(LINES)),
        }),
        other: () => measure('parse', `${file}.${LINES}`, LINES),
      };
    },
    measures: [
      { label: 'seconds', value: ({ ours }) => ours.ms / 1000, limit: 3 },
      {
        label: 'processor time ÷ that of JSON.parse',
        value: ({ ours, other }) => ours.cpuMs / other.cpuMs,
        limit: 1.8,
      },
      { label: 'peak memory, MB', value: ({ ours }) => ours.mb, limit: 300 },
      ...growth('seconds', ({ ours }) => [ours.hundredth.ms, ours.tenth.ms, ours.ms]),
    ],
  },
  {
    name: 'events',
    title: '40,000 durable events of 500 callers in group commit; beside it as many lines written and synced',
    bounds:
      'The syncs of the disk: 500 callers share one, and serialising their events overlaps with the one before.',
    async prepare(folder) {
      const measure = await bundled('state', folder);
      const file = join(folder, 'bench.state.jsonl');
      return { ours: () => measure('append', file), other: () => measure('sync', file) };
    },
    measures: [
      {
        label: 'of the time that 20,000 a second would take',
        value: ({ ours }) => 20_000 / ours.perSecond,
        limit: 1,
      },
      { label: 'time ÷ that of the plain writes', value: ({ ours, other }) => ours.ms / other.ms, limit: 4 },
      { label: 'events a second', value: ({ ours }) => ours.perSecond },
    ],
  },
  {
    name: 'scheduling',
    title:
      '100,000 nodes whose steps do nothing, in a store in memory; beside it a tenth and a hundredth of them',
    bounds: 'The maps of the graph and the promises of each step, 45 µs a node.',
    async prepare(folder) {
      const measure = await bundled('scheduling', folder);
      const smaller = async () => ({ tenth: await measure(10_000), hundredth: await measure(1000) });
      return { ours: () => measure(100_000), other: smaller };
    },
    measures: [
      { label: 'seconds', value: ({ ours }) => ours.ms / 1000 },
      { label: 'nodes a second', value: ({ ours }) => ours.nodes / (ours.ms / 1000) },
      ...growth('seconds', ({ ours, other }) => [other.hundredth.ms, other.tenth.ms, ours.ms]),
      { label: 'peak memory, MB', value: ({ ours }) => ours.mb },
    ],
  },
  {
    name: 'posts-run',
    title:
      '100,000 posts planned and carried out, with a client that answers at once; beside it a tenth and a hundredth of them',
    pairs: 1,
    bounds: 'Garbage collection, and the fold of each event before anything builds on it.',
    async prepare(folder) {
      const measure = await bundled('run', folder);
      const runOf = (products) => {
        const made = makeGrid(join(folder, String(products)), { products, batches: 10, posts: 20 });
        return () => {
          for (const left of ['out', 'bench.default.state.jsonl', '.campaign'])
            rmSync(join(made.folder, left), { recursive: true, force: true });
          return measure(made.manifest);
        };
      };
      const [whole, tenth, hundredth] = [runOf(100), runOf(10), runOf(1)];
      return { ours: whole, other: async () => ({ hundredth: await hundredth(), ...(await tenth()) }) };
    },
    measures: [
      { label: 'seconds', value: ({ ours }) => ours.ms / 1000 },
      ...growth('seconds', ({ ours, other }) => [other.hundredth.ms, other.ms, ours.ms]),
      { label: 'peak memory, MB', value: ({ ours }) => ours.mb },
      { label: 'kB a post', value: ({ ours, other }) => (ours.mb - other.mb) / 90 },
    ],
  },
  {
    name: 'follow',
    title:
      '10,000 posts are followed by a page and by `status --watch`: a look after one more record; beside it the look of who comes anew',
    pairs: 3,
    bounds:
      'The plan over all posts is made anew at each look, and a page draws its graph and the timeline of the run that is at work.',
    async prepare(folder) {
      const place = join(folder, 'campaign');
      const made = makeGrid(place, { products: 20, batches: 10, posts: 10 });
      const parts = join(folder, 'run');
      mkdirSync(parts);
      await (await bundled('run', parts))(made.manifest);
      const measure = await bundled('follow', folder);
      return { ours: () => measure(made.manifest) };
    },
    measures: [
      { label: 'a page, seconds of the processor', value: ({ ours }) => ours.page / 1000 },
      { label: 'a page ÷ one that comes anew', value: ({ ours }) => ours.page / ours.pageAnew, limit: 0.5 },
      { label: 'a status, seconds of the processor', value: ({ ours }) => ours.status / 1000 },
      {
        label: 'a status ÷ one that comes anew',
        value: ({ ours }) => ours.status / ours.statusAnew,
        limit: 0.5,
      },
    ],
  },
];
