/** Runs commands and says what they cost. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';

/**
 * One run of a command: seconds on the clock, seconds of the processor, peak memory in MB of the largest process (all by
 * the operating system's account of the ended process, through GNU time). A code other than 0 is an error with what the
 * command said.
 */
export async function run(command, { cwd, env = {}, input } = {}) {
  const place = mkdtempSync(join(os.tmpdir(), 'campaign-bench-time-'));
  try {
    const report = join(place, 'time');
    const start = performance.now();
    const child = spawn('/usr/bin/time', ['-o', report, '-f', '%U %S %M', ...command], {
      cwd,
      env: { ...process.env, ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const said = [];
    child.stdout.on('data', (chunk) => said.push(chunk));
    child.stderr.on('data', (chunk) => said.push(chunk));
    if (input !== undefined) child.stdin.end(input);
    const [code] = await once(child, 'close');
    const wall = (performance.now() - start) / 1000;
    const output = Buffer.concat(said).toString();
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${output.slice(-2000)}`);
    const [user, system, kilobytes] = readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .at(-1)
      .split(' ')
      .map(Number);
    return { wall, cpu: user + system, mb: kilobytes / 1024, output };
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** Whether this machine has a tool that is only measured where it is. */
export const has = (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0;

/** The service in a process of its own, until `stop`. `photos`: each result is another picture, of the size of a small photo. */
export async function startService(latencyMs, results = 'one') {
  const script = new URL('service.mjs', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, String(latencyMs), results], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const url = String(line).trim();
  return {
    url,
    pid: child.pid,
    /** What came since the last call. */
    stats: async () => (await fetch(`${url}/stats`)).json(),
    async stop() {
      child.kill();
      await once(child, 'close');
    },
  };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
