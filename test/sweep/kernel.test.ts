/** The real command, stopped by the kernel: at the nth system call of a kind, or where a file may not grow. */
import { spawnSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { told } from './dimension.ts';
import { startRealCampaign } from './real-campaign.ts';
import { everyNth, IS_FULL } from './stride.ts';

/** What the machine must have, or these tests fail and say so. */
function need(tool: string): void {
  const { status } = spawnSync(tool, ['--version']);
  if (status !== 0) throw new Error(`${tool} is missing: install it, the sweep of real processes needs it`);
}

/** Kills at the first, second, … call until one apply ends by itself; how many there were. */
async function sweepCalls(call: string): Promise<number> {
  const stride = IS_FULL ? 1 : 7;
  let visited = 0;
  for (let n = 1; ; n += stride) {
    const campaign = await startRealCampaign(onTestFinished);
    const inject = `inject=${call}:signal=KILL:when=${n}`;
    const { signal } = await campaign.applyUnder([
      'strace',
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      `trace=${call}`,
      '-e',
      inject,
    ]);
    if (signal !== 'SIGKILL') return visited;
    visited += 1;
    await campaign.check();
    await campaign.finish();
  }
}

it.each(['fdatasync', 'fsync', 'rename'])(
  'killed at each %s, under strace (scenarios 1, 8)',
  { timeout: 600_000 },
  async (call) => {
    need('strace');
    const started = performance.now();
    const visited = await sweepCalls(call);
    expect(visited).toBeGreaterThan(0);
    told(`killed at each ${call}, under strace (scenarios 1, 8)`, {
      visited,
      failed: 0,
      ms: performance.now() - started,
    });
  },
);

it('where no file may grow beyond a size (scenario 6)', { timeout: 600_000 }, async () => {
  need('prlimit');
  const started = performance.now();
  const sizes = everyNth(
    Array.from({ length: 30 }, (_, index) => 400 + index * 150),
    2,
  );
  for (const size of sizes) {
    const campaign = await startRealCampaign(onTestFinished);
    const { code } = await campaign.applyUnder(['prlimit', `--fsize=${size}`]);
    expect([0, 74]).toContain(code);
    await campaign.check();
    await campaign.finish();
  }
  told('short writes under prlimit (scenario 6)', {
    visited: sizes.length,
    failed: 0,
    ms: performance.now() - started,
  });
});
