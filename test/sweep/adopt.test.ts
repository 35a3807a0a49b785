/** A state is adopted under another name, and at each operation the process dies or the disk fails. */
import { expect, it, vi } from 'vitest';
import { adoptLog } from '../../src/store/file/adopt-state.ts';
import { type CrashDisk, createCrashDisk, type DiskFault } from '../support/crash-disk.ts';
import { asProcess } from '../support/crash-fs.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { witnessesOf } from '../../src/store/file/witnesses.ts';
import { statePaths } from '../../src/store/file/work-folder.ts';
import { AT, EVENTS, IDENTITY, linesOf } from '../store/file/sample-log.ts';
import { openState, OPTIONS } from '../store/file/state-place.ts';
import { told } from './dimension.ts';
vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({
  tryLock: (await import('../support/crash-fs.ts')).tryLock,
}));

const FAULTS: Readonly<Record<string, DiskFault>> = {
  'killed before': { type: 'die', when: 'before' },
  'killed after': { type: 'die', when: 'after' },
  EIO: { type: 'fail', code: 'EIO' },
  'one byte, killed': { type: 'short', bytes: 1, ends: 'die' },
};
const FOLDER = '/campaign';
const TO = `${FOLDER}/spring.live.state.jsonl`;
/** Where it is, or says where it is. */
const PLACE = `${FOLDER}/spring.stage.state.jsonl`;
const WITNESSES = witnessesOf(`${FOLDER}/spring.yaml`, { env: {}, manifestsIn: () => [] });
/** The same campaign and service, under another name of the environment. */
const RENAMED = { ...IDENTITY, environment: 'live' };
const LOG = linesOf(EVENTS).join('');

interface Adoption {
  readonly disk: CrashDisk;
  readonly from: string;
}

async function diskWith(from: string): Promise<Adoption> {
  const disk = createCrashDisk([FOLDER, '/elsewhere']);
  disk.put(from, Buffer.from(LOG));
  expect(await open({ disk, from }, from)).toBe('p-1');
  return { disk, from };
}

/** What a run takes the product for under a name, or why it refuses. */
function open({ disk, from }: Adoption, stateFile: string): Promise<string | undefined> {
  const identity = stateFile === TO ? RENAMED : IDENTITY;
  return asProcess(disk.start(), async () => {
    const opened = await openState({
      ...OPTIONS,
      identity,
      stateFile,
      mode: 'write',
      witnesses: WITNESSES,
      ...(stateFile === from && from !== PLACE && { beside: statePaths(PLACE) }),
    });
    if (!opened.ok) return opened.error.code;
    const tote = opened.value.state.objects.get('product/tote');
    await opened.value.close();
    return tote?.result && 'id' in tote.result ? tote.result.id : 'nothing';
  });
}

/** What `campaign state use` does, until it has ended, was refused or has died. */
async function adopt({ disk, from }: Adoption): Promise<void> {
  const process = disk.start();
  const work = async () => {
    const run = { ...OPTIONS, clock: createManualClock(), identity: RENAMED, witnesses: WITNESSES };
    const opened = await adoptLog({ from: disk.names.has(PLACE) ? PLACE : from, to: TO }, run);
    if (!opened.ok) return;
    const { campaign, environment, baseUrl: base_url } = RENAMED;
    try {
      await opened.value.recorder.append([{ type: 'rebound', at: AT, campaign, environment, base_url }]);
    } finally {
      await opened.value.close();
    }
  };
  const refused = (error: unknown) => {
    if (process.faults.length === 0) throw error;
  };
  await Promise.race([asProcess(process, () => work().catch(refused)), process.died]);
  process.end();
}

async function problemsAt(n: number, name: string, from: string): Promise<string[]> {
  const adoption = await diskWith(from);
  const { disk } = adoption;
  const first = disk.operations + n;
  const where: string[] = [];
  disk.fault = (operation) => {
    if (operation.n !== first) return undefined;
    where.push(`${operation.kind} ${operation.path}`);
    return FAULTS[name];
  };
  await adopt(adoption);
  disk.fault = undefined;
  const problems: string[] = [];
  const logs = [from, TO].filter((file) => disk.names.get(file)?.data.toString().startsWith(LOG));
  if (logs.length !== 1) problems.push(`the log lies at ${logs.join(' and ') || 'no place'}`);
  const found = await open(adoption, TO);
  if (found !== 'p-1') {
    if (found !== 'state-elsewhere') problems.push(`the next run says ${found}`);
    await adopt(adoption);
    const after = await open(adoption, TO);
    if (after !== 'p-1') problems.push(`adopted again, the next run says ${after}`);
  }
  const before = await open(adoption, from);
  if (before === 'nothing' || before === 'p-1') problems.push(`under its old name a run says ${before}`);
  return problems.map((problem) => `${from}: ${name} operation ${n} (${where.join()}): ${problem}`);
}

it('a state that is adopted lies under one name or the other, and is new under none (scenario 8)', async () => {
  const started = performance.now();
  const failures: string[] = [];
  let visited = 0;
  for (const from of [PLACE, '/elsewhere/mine.jsonl']) {
    const calm = await diskWith(from);
    const before = calm.disk.operations;
    await adopt(calm);
    const count = calm.disk.operations - before;
    expect(await open(calm, TO)).toBe('p-1');
    for (let n = 1; n <= count; n += 1) {
      for (const name of Object.keys(FAULTS)) {
        visited += 1;
        failures.push(...(await problemsAt(n, name, from)));
      }
    }
  }
  told('an adoption (scenario 8)', {
    visited,
    failed: failures.length,
    ms: performance.now() - started,
  });
  expect(failures).toEqual([]);
});
