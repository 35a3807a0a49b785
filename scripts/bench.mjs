// Measures what the state costs: `npm run bench [lines]`. Limits are on ratios within one run and on memory, because
// machines differ; seconds are printed for whoever has the machine to themselves (3 s for a million lines is the aim).
// A child process for each figure, so that memory is that of the one thing measured; the best of three, in turn with
// what it is compared with, so that a noisy machine is as noisy for both.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const lines = Number(process.argv[2] ?? 1_000_000);
const folder = await mkdtemp(join(os.tmpdir(), 'campaign-bench-'));
try {
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const script = join(folder, 'bench-state.mjs');
  await build({
    entryPoints: [join(root, 'scripts', 'bench-state.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
    external: ['fs-native-extensions'],
    logLevel: 'warning',
  });
  const file = join(folder, 'bench.state.jsonl');
  const run = (what) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, what, file, String(lines)], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${what}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const made = run('make');
  const rounds = [1, 2, 3].map(() => ({
    parse: run('parse'),
    load: run('load'),
    sync: run('sync'),
    append: run('append'),
  }));
  const best = (what, figure) => Math.min(...rounds.map((round) => round[what][figure]));
  const size = `${made.lines} lines, ${(made.bytes / 1e6).toFixed(0)} MB, ${rounds[0].load.nodes} nodes`;
  console.log(`A state of ${size}; ${os.cpus().length} cores, Node ${process.version}`);
  const mb = Math.max(...rounds.map(({ load }) => load.mb));
  const [ms, cpuMs] = [best('load', 'ms'), best('load', 'cpuMs')];
  report('load, check and fold', `${seconds(ms)} (${seconds(cpuMs)} of processor), ${mb} MB`, [
    ['× the processor time of JSON.parse over the same lines', cpuMs / best('parse', 'cpuMs'), 1.8],
    ['MB', mb, 300],
  ]);
  const perSecond = Math.max(...rounds.map(({ append }) => append.perSecond));
  report('durable events, in group commit', `${Math.round(perSecond)}/s`, [
    [
      '× the time of JSON.stringify, writes and syncs of as many at once',
      best('append', 'ms') / best('sync', 'ms'),
      4,
    ],
    ['of the time that 20,000/s would take', 20_000 / perSecond, 1],
  ]);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** One line a figure; a limit that is broken ends the script with 1. */
function report(name, figure, limits) {
  console.log(`${name}: ${figure}`);
  for (const [unit, value, limit] of limits) {
    const holds = value <= limit;
    if (!holds) process.exitCode = 1;
    console.log(`  ${holds ? 'ok  ' : 'OVER'} ${value.toFixed(2)} ${unit} (limit ${limit})`);
  }
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`;
}
