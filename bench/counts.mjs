/**
 * Counts what does not depend on how busy a machine is: requests, connections, system calls, syncs, and instructions of
 * the pure parts. `node bench/counts.mjs` compares them with bench/counts.json and ends with 1 where one is larger;
 * `--write` writes what it counted, for a change that is meant. It needs strace, and valgrind for the instructions.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { bundled } from './in-process.mjs';
import { makeBatches } from './inputs.mjs';
import { run, startService } from './measure.mjs';
import { campaign, environment, PROGRAM } from './program.mjs';

const FILE = new URL('counts.json', import.meta.url);
/** What downloads share (syncs of folders) depends on which of them end together; such counts may be larger by half. */
const SHARED = new Set(['fsync', 'opened']);
const TOLERANCE = 1.5;
/** Modules of the program are its own choice; a few more do not matter. */
const MORE_MODULES = 1.1;
/** Without fdatasync: how many events share one depends on time. */
const CALLS = ['fsync', 'rename', 'connect'];
/** 246 requests: 1 token, 5 concepts, 10 uploads, 10 products, 20 configurations, 100 polls, 100 downloads. */
const SIZE = { products: 10, requests: 20, posts: 5, limits: { concurrency: 16 } };

/** The parts of in-process/pure.ts, and how far their instructions may grow. */
const PARTS = ['graph', 'plan', 'fold', 'run', 'frames'];
const MORE_INSTRUCTIONS = 1.1;
/** Without a compiler that looks at the clock, and with seeds: then two counts differ by one in ten thousand at most. */
const SAME_EACH_TIME = '--jitless --single-threaded --predictable --hash-seed=1 --random-seed=1'.split(' ');

if (!has('strace', '-V')) {
  console.error('strace is not installed: nothing was counted. `apt-get install strace` brings it.');
  process.exit(process.env['CI'] ? 1 : 0);
}
const countsInstructions = has('valgrind', '--version');
if (!countsInstructions)
  console.error(
    'valgrind is not installed: no instructions were counted. `apt-get install valgrind` brings it.',
  );
const counted = {
  ...(await count()),
  ...(countsInstructions && { instructions: await countInstructions() }),
};
const withoutPaths = (key, value) => (key === 'paths' ? undefined : value);
if (process.argv.includes('--write')) writeFileSync(FILE, `${JSON.stringify(counted, withoutPaths, 2)}\n`);
else compare(counted, JSON.parse(readFileSync(FILE, 'utf8')));

function has(tool, ...asked) {
  try {
    execFileSync(tool, asked, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function count() {
  const folder = mkdtempSync(join(os.tmpdir(), 'campaign-counts-'));
  const service = await startService(0);
  try {
    const { manifest } = makeBatches(folder, SIZE);
    const options = { cwd: folder, env: environment(service.url) };
    await service.stats();
    const apply = await traced(folder, campaign('apply', '--yes', manifest), options);
    const { requests, connections } = await service.stats();
    const unchanged = await traced(folder, campaign('apply', '--yes', manifest), options);
    const plan = await traced(folder, campaign('plan', manifest), options);
    const version = await traced(folder, campaign('--version'), options);
    return { apply: { requests, connections, ...apply }, unchanged, plan, version };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * How often a command makes each system call that costs, and how often it opens a file of the campaign or a module of the program.
 * What libraries and the system open is left out: fonts, certificates and `/proc` differ from machine to machine.
 */
async function traced(folder, command, options) {
  const report = join(folder, 'strace.txt');
  const calls = ['openat', ...CALLS].join(',');
  await run(['strace', '-f', '-o', report, '-e', `trace=${calls}`, ...command], options);
  const lines = readFileSync(report, 'utf8').split('\n');
  // What another thread interrupts stands on two lines, and the second one does not begin like this.
  const made = lines.flatMap((line) => {
    const [, call, path] = /^\d+ +(\w+)\((?:AT_FDCWD, "([^"]*)")?/.exec(line) ?? [];
    return call ? [{ call, path }] : [];
  });
  const opened = made.filter(({ call, path }) => call === 'openat' && path).map(({ path }) => path);
  const ofCampaign = opened
    .filter((path) => path.startsWith(folder))
    .map((path) => path.slice(folder.length));
  return {
    ...Object.fromEntries(CALLS.map((name) => [name, made.filter(({ call }) => call === name).length])),
    opened: ofCampaign.length,
    modules: opened.filter((path) => path.startsWith(PROGRAM)).length,
    // Not in the file: they say where too many of them come from.
    paths: ofCampaign,
  };
}

/** Millions of instructions of each pure part, beyond those of a process that imports it, and the Node that ran them. */
async function countInstructions() {
  const folder = mkdtempSync(join(os.tmpdir(), 'campaign-counts-'));
  try {
    await bundled('pure', folder);
    const script = join(folder, 'pure.mjs');
    const counting = ['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null'];
    const instructions = async (part) => {
      const { output } = await run([...counting, process.execPath, ...SAME_EACH_TIME, script, part]);
      return Number(/Collected : (\d+)/.exec(output)[1]) / 1e6;
    };
    const [nothing, ...parts] = await Promise.all(['nothing', ...PARTS].map(instructions));
    const beyond = parts.map((millions, n) => [PARTS[n], Math.round(millions - nothing)]);
    return { node: Number.parseInt(process.versions.node), ...Object.fromEntries(beyond) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compare(now, limits) {
  // Each version of Node has its own bytecode.
  const isSameNode = now.instructions?.node === limits.instructions.node;
  for (const [command, { paths, ...counts }] of Object.entries(now)) {
    if (command === 'instructions' && !isSameNode) continue;
    for (const [what, value] of Object.entries(counts)) {
      const limit = limits[command][what];
      const isOver = value > limit * toleranceOf(command, what);
      if (isOver) process.exitCode = 1;
      console.log(`${isOver ? 'OVER' : 'ok  '} ${command} ${what}: ${value} (counted before: ${limit})`);
      if (isOver && what === 'opened') console.log(mostOften(paths));
    }
  }
}

function toleranceOf(command, what) {
  if (command === 'instructions') return MORE_INSTRUCTIONS;
  if (what === 'modules') return MORE_MODULES;
  return SHARED.has(what) ? TOLERANCE : 1;
}

/** The ten kinds of paths that were opened most often; numbers in them do not count. */
function mostOften(paths) {
  const often = new Map();
  for (const path of paths) {
    const kind = path.replaceAll(/\d+/g, '*');
    often.set(kind, (often.get(kind) ?? 0) + 1);
  }
  const most = [...often].toSorted(([, a], [, b]) => b - a).slice(0, 10);
  return most.map(([kind, times]) => `       ${times} × ${kind}`).join('\n');
}
