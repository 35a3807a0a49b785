import { it, vi } from 'vitest';
import { appendFileSync } from 'node:fs';
import { playScript } from './seeded-run.ts';
import { scriptOf } from './seeded-script.ts';
vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({ tryLock: (await import('../support/crash-fs.ts')).tryLock }));
it('p', async () => {
  for (let s = 1; s <= 1000; s++) {
    const t = performance.now();
    appendFileSync('/tmp/h9-simdbg.txt', `${s} `);
    const r = await playScript(scriptOf(s)).catch((e) => String(e));
    appendFileSync('/tmp/h9-simdbg.txt', `${(performance.now() - t).toFixed(0)} ${r}\n`);
  }
}, 1000000);
