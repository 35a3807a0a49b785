/** What plans cost: nothing to do, one photo edited, a state that is not there yet, a million posts. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeGrid } from '../inputs.mjs';
import { has, run, startService } from '../measure.mjs';
import { growth } from '../growth.mjs';
import { picture } from '../picture.mjs';
import { campaign, environment } from '../program.mjs';

/** 92,005 nodes: 10,000 uploads, 1,000 products, 5 concepts, 9,000 configurations, 36,000 posts. */
const LARGE = { products: 1000, photos: 10, shown: 3, batches: 3, posts: 4 };
/** 14,002 nodes: 500 uploads, 500 products, 2 concepts, 1,000 configurations, 6,000 posts. */
const SMALL = { products: 500, concepts: 2, posts: 6 };
/** A million posts of 50,000 configurations. */
const MILLION = { products: 1000, batches: 10, posts: 20 };

export const plans = [
  {
    name: 'nothing-to-do',
    title:
      '92,005 nodes and nothing to do, 10,000 photos; beside it node -e 0, and git, make and Snakemake over as many files',
    bounds:
      'Starting Node and loading 23 files, then 12,000 looks at the disk, as many as there are photos and folders, and the CRC-32 of the state.',
    async prepare(folder) {
      const place = await applied(folder, LARGE);
      const peers = preparePeers(join(folder, 'peers'));
      return {
        ours: () => run(campaign('apply', '--yes', place.manifest), place.options),
        other: async () => ({
          node: await run([process.execPath, '-e', '0']),
          git: await run(['git', 'status', '--short'], { cwd: peers }),
          make: await run(['make', '-n', '-s'], { cwd: peers }),
          ...(has('snakemake') && { snakemake: await run(['snakemake', '-n', '-q', '-c1'], { cwd: peers }) }),
        }),
      };
    },
    measures: [
      { label: 'seconds', value: ({ ours }) => ours.wall, limit: 0.5 },
      { label: 'peak memory, MB', value: ({ ours }) => ours.mb, limit: 120 },
      { label: 'ratio to node -e 0', value: ({ ours, other }) => ours.wall / other.node.wall, limit: 10 },
      { label: 'git status, seconds', value: ({ other }) => other.git.wall },
      { label: 'make -n, seconds', value: ({ other }) => other.make.wall },
      { label: 'snakemake -n, seconds', value: ({ other }) => other.snakemake?.wall },
    ],
  },
  {
    name: 'one-edit',
    title: 'The same 92,005 nodes, one photo edited: plan',
    bounds:
      'Reading and folding the log takes 0.7 of 1.8 s, and garbage collection is a quarter of the whole: 83 of the 139 MB that stay alive are the folded state, 2.3 kB a post.',
    async prepare(folder) {
      const place = await applied(folder, LARGE);
      let seed = 1_000_000;
      const photo = join(folder, 'photos', 'p7', '3.png');
      return {
        async ours() {
          writeFileSync(photo, picture(++seed));
          return run(campaign('plan', place.manifest), place.options);
        },
      };
    },
    measures: [
      { label: 'seconds', value: ({ ours }) => ours.wall, limit: 1.5 },
      { label: 'peak memory, MB', value: ({ ours }) => ours.mb, limit: 250 },
    ],
  },
  {
    name: 'plan-14000',
    title: '14,002 nodes: a plan for a fresh state, then one with nothing to do',
    bounds:
      'Half is starting Node and loading modules; of the 0.2 s of planning half is the manifest and a fifth the fingerprints; garbage collection is 18 %.',
    async prepare(folder) {
      const fresh = makeGrid(join(folder, 'fresh'), SMALL);
      const done = await applied(join(folder, 'done'), SMALL);
      const options = { cwd: fresh.folder, env: environment('http://127.0.0.1:9') };
      await run(campaign('plan', fresh.manifest), options);
      return {
        ours: () => run(campaign('plan', fresh.manifest), options),
        other: () => run(campaign('plan', done.manifest), done.options),
      };
    },
    measures: [
      { label: 'a fresh state, seconds', value: ({ ours }) => ours.wall, limit: 0.5 },
      { label: 'nothing to do, seconds', value: ({ other }) => other.wall, limit: 0.25 },
    ],
  },
  {
    name: 'million',
    title: 'A million posts planned; beside it a tenth and a hundredth of the products',
    pairs: 1,
    bounds:
      'Garbage collection takes 38 %, because graph and planned nodes of a million posts are alive at once; then the graph 16 %, the manifest with its file names 16 %, finishing the plan 13 %, JSON 10 %.',
    async prepare(folder) {
      const planOf = (share) => {
        const made = makeGrid(join(folder, String(share)), {
          ...MILLION,
          products: MILLION.products / share,
        });
        const options = { cwd: made.folder, env: environment('http://127.0.0.1:9') };
        return () => run(campaign('plan', '--json', made.manifest), options);
      };
      const [whole, tenth, hundredth] = [planOf(1), planOf(10), planOf(100)];
      return {
        ours: async () => ({ ...(await whole()), tenth: await tenth(), hundredth: await hundredth() }),
      };
    },
    measures: [
      { label: 'seconds', value: ({ ours }) => ours.wall },
      { label: 'peak memory, MB', value: ({ ours }) => ours.mb, limit: 2000 },
      ...growth('seconds of the processor', ({ ours }) => [ours.hundredth.cpu, ours.tenth.cpu, ours.cpu]),
    ],
  },
];

/** A campaign of which everything has been made. */
async function applied(folder, size) {
  const service = await startService(0);
  try {
    const made = makeGrid(folder, { ...size, limits: { concurrency: 64 } });
    const options = { cwd: folder, env: environment(service.url) };
    await run(campaign('apply', '--yes', made.manifest), options);
    await run(campaign('apply', '--yes', made.manifest), options);
    return { manifest: made.manifest, options };
  } finally {
    await service.stop();
  }
}

/** 10,000 finished outputs, each newer than its input, for git and make. */
function preparePeers(folder) {
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: 10_000 }, (_, n) => `f${n}`);
  for (const name of names) {
    writeFileSync(join(folder, `${name}.in`), name);
    utimesSync(join(folder, `${name}.in`), 1, 1);
    writeFileSync(join(folder, `${name}.out`), name);
  }
  const outputs = names.map((name) => `${name}.out`).join(' ');
  writeFileSync(join(folder, 'Makefile'), `all: ${outputs}\n%.out: %.in\n\tcp $< $@\n`);
  const rules = [
    'rule all:',
    `    input: [f"f{n}.out" for n in range(${names.length})]`,
    'rule copy:',
    '    input: "{name}.in"',
    '    output: "{name}.out"',
    '    shell: "cp {input} {output}"',
    '',
  ];
  writeFileSync(join(folder, 'Snakefile'), rules.join('\n'));
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'all');
  rmSync(join(folder, '.git', 'gc.log'), { force: true });
  return folder;
}
