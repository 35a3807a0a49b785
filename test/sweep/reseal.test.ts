/** A log that was edited by hand is resealed, and at each operation the process dies, power goes, or the disk fails. */
import { expect, it, vi } from 'vitest';
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import { resealLog } from '../../src/store/file/reseal-log.ts';
import { statePaths } from '../../src/store/file/work-folder.ts';
import { type CrashDisk, createCrashDisk, type DiskFault } from '../support/crash-disk.ts';
import { asProcess } from '../support/crash-fs.ts';
import { STATE_FILE } from '../support/crash-world.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { NO_WITNESSES } from '../support/no-witnesses.ts';
import { AT, EVENTS, linesOf } from '../store/file/sample-log.ts';
import { openState, OPTIONS } from '../store/file/state-place.ts';
import { told } from './dimension.ts';

vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({ tryLock: (await import('../support/crash-fs.ts')).tryLock }));

const LOG = linesOf(EVENTS).join('');
const EDITED = LOG.replace('"p-1"', '"p-2"');
const FAULTS: Readonly<Record<string, DiskFault>> = {
  'killed before': { type: 'die', when: 'before' },
  'killed after': { type: 'die', when: 'after' },
  EIO: { type: 'fail', code: 'EIO' },
  'one byte, killed': { type: 'short', bytes: 1, ends: 'die' },
};

/** A disk that knew the log as it was, on which it was edited then. */
async function editedDisk(): Promise<CrashDisk> {
  const disk = createCrashDisk(['/campaign']);
  put(disk, LOG);
  expect(await open(disk)).toBe('p-1');
  put(disk, EDITED);
  disk.losePower(() => 0);
  return disk;
}

function put(disk: CrashDisk, text: string): void {
  const inode = disk.names.get(STATE_FILE) ?? disk.make(STATE_FILE, 0o600, 'file');
  inode.data = Buffer.from(text);
  disk.sync(inode, STATE_FILE);
  disk.sync(disk.find('/campaign', 'open'), '/campaign');
}

/** What the next run takes the product for, or why it refuses. */
async function open(disk: CrashDisk): Promise<string | undefined> {
  return asProcess(disk.start(), async () => {
    const opened = await openState({ ...OPTIONS, stateFile: STATE_FILE, mode: 'write' });
    if (!opened.ok) return opened.error.code;
    const tote = opened.value.state.objects.get('product/tote');
    await opened.value.close();
    return tote?.result && 'id' in tote.result ? tote.result.id : undefined;
  });
}

/** Reseals, or dies. */
async function reseal(disk: CrashDisk, run: string): Promise<void> {
  const process = disk.start();
  const clock = createManualClock(Date.parse(AT) + disk.operations);
  const work = asProcess(process, () =>
    resealLog(statePaths(STATE_FILE), {
      lockTimeoutMs: 0,
      clock,
      command: 'campaign state check --reseal',
      runId: run,
      events: EVENTS.slice(0, 1),
      agree: () => true,
      witnesses: NO_WITNESSES,
    }),
  );
  await Promise.race([work, process.died]);
  process.end();
}

async function problemsAt(n: number, name: string, luck: (() => number) | undefined): Promise<string[]> {
  const disk = await editedDisk();
  const first = disk.operations + n;
  const where: string[] = [];
  disk.fault = (operation) => {
    if (operation.n !== first) return undefined;
    where.push(`${operation.kind} ${operation.path}`);
    return FAULTS[name];
  };
  await reseal(disk, 'run-8');
  disk.fault = undefined;
  if (luck) disk.losePower(luck);
  const problems: string[] = [];
  const texts = [...disk.names.values()].map(({ data }) => data.toString());
  if (!texts.includes(EDITED)) problems.push('the log before is gone');
  const found = await open(disk);
  if (found !== 'p-2') {
    if (found !== 'state-damaged') problems.push(`the next run says ${found}`);
    await reseal(disk, 'run-9');
    const after = await open(disk);
    if (after !== 'p-2') problems.push(`resealed again, the next run says ${after}`);
  }
  return problems.map((problem) => `${name} operation ${n} (${where.join()}): ${problem}`);
}

it('resealing ends with the log before or the one after, and what was edited is kept (scenario 8)', async () => {
  const started = performance.now();
  const calm = await editedDisk();
  const before = calm.operations;
  await reseal(calm, 'run-8');
  const count = calm.operations - before;
  expect(await open(calm)).toBe('p-2');
  const failures: string[] = [];
  let visited = 0;
  for (let n = 1; n <= count; n += 1) {
    for (const name of Object.keys(FAULTS)) {
      const lucks =
        name === 'EIO' ? [undefined] : [undefined, ...[1, 2, 3].map((luck) => seededRandom(`${n} ${luck}`))];
      for (const luck of lucks) {
        visited += 1;
        failures.push(...(await problemsAt(n, name, luck)));
      }
    }
  }
  told('a reseal (scenario 8)', { visited, failed: failures.length, ms: performance.now() - started });
  expect(failures).toEqual([]);
});
