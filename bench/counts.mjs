/**
 * Counts what does not depend on how busy a machine is: requests, connections, system calls, syncs. `node bench/counts.mjs`
 * compares them with bench/counts.json and ends with 1 where one is larger; `--write` writes what it counted, for a change
 * that is meant. It needs strace.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { makeBatches } from './inputs.mjs';
import { run, startService } from './measure.mjs';
import { campaign, environment } from './program.mjs';

const FILE = new URL('counts.json', import.meta.url);
/** What downloads share (syncs of folders) depends on which of them end together; such counts may be larger by half. */
const SHARED = new Set(['fsync', 'openat']);
const TOLERANCE = 1.5;
/** Without fdatasync: how many events share one depends on time. */
const CALLS = ['fsync', 'openat', 'rename', 'connect'];
/** 246 requests: 1 token, 5 concepts, 10 uploads, 10 products, 20 configurations, 100 polls, 100 downloads. */
const SIZE = { products: 10, requests: 20, posts: 5, limits: { concurrency: 16 } };

try {
  execFileSync('strace', ['-V'], { stdio: 'ignore' });
} catch {
  console.error('strace is not installed: nothing was counted. `apt-get install strace` brings it.');
  process.exit(process.env['CI'] ? 1 : 0);
}
const counted = await count();
if (process.argv.includes('--write')) writeFileSync(FILE, `${JSON.stringify(counted, undefined, 2)}\n`);
else compare(counted, JSON.parse(readFileSync(FILE, 'utf8')));

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

/** How often a command makes each system call that costs. */
async function traced(folder, command, options) {
  const report = join(folder, 'strace.txt');
  await run(['strace', '-f', '-c', '-o', report, '-e', `trace=${CALLS.join(',')}`, ...command], options);
  const lines = readFileSync(report, 'utf8').split('\n');
  const rows = lines.map((line) => line.trim().split(/\s+/));
  return Object.fromEntries(
    CALLS.map((call) => [call, Number(rows.find((row) => row.at(-1) === call)?.[3] ?? 0)]),
  );
}

function compare(now, limits) {
  for (const [command, counts] of Object.entries(now)) {
    for (const [what, value] of Object.entries(counts)) {
      const limit = limits[command][what];
      const isOver = value > (SHARED.has(what) ? limit * TOLERANCE : limit);
      if (isOver) process.exitCode = 1;
      console.log(`${isOver ? 'OVER' : 'ok  '} ${command} ${what}: ${value} (counted before: ${limit})`);
    }
  }
}
