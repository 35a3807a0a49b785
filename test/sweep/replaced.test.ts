/** The log is replaced under a run, by an older copy or by the same: refused before anything is bought twice. */
import { expect, it, vi } from 'vitest';
import type { WriteOptions } from '../../src/store/file/write-session.ts';
import type { WritableState } from '../../src/store/store.ts';
import { statePaths } from '../../src/store/file/work-folder.ts';
import { createCrashDisk, type CrashDisk } from '../support/crash-disk.ts';
import { asProcess } from '../support/crash-fs.ts';
import { STATE_FILE } from '../support/crash-world.ts';
import { AT, EVENTS, linesOf } from '../store/file/sample-log.ts';
import { openState, OPTIONS } from '../store/file/state-place.ts';
import { sweep } from './dimension.ts';
import { surveyStory } from './points.ts';
import { replacements } from './replacements.ts';

vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({ tryLock: (await import('../support/crash-fs.ts')).tryLock }));

const { operations } = await surveyStory();

it('another copy of the log in its place at each operation (scenario 7)', { timeout: 900_000 }, () =>
  sweep('another copy of the log in its place at each operation (scenario 7)', replacements(operations)),
);

const LOG = linesOf(EVENTS);
const WRITE = { ...OPTIONS, stateFile: STATE_FILE, mode: 'write' } as const;
const ELSEWHERE = { ...OPTIONS.identity, baseUrl: 'https://other.example' };

/** A disk whose lock file remembers all of the log; then the log is one of these. */
const STATES: Readonly<Record<string, { text: string; options?: Partial<WriteOptions> }>> = {
  'an older copy': { text: LOG.slice(0, -1).join('') },
  'an older copy with a torn end': { text: LOG.slice(0, -1).join('').slice(0, -20) },
  'a copy that went its own way': { text: linesOf([...EVENTS.slice(0, -1), learned('b')]).join('') },
  'the log of another lineage': { text: linesOf(EVENTS, { lineage: 'another' }).join('') },
  'a state of another place': { text: LOG.join(''), options: { identity: ELSEWHERE } },
};

function learned(value: string) {
  return { type: 'learned', at: AT, name: 'x', value } as const;
}

it.each(['compact', 'as-it-is'] as const)(
  'what is opened to be asked about and declined stays as it was, closed %s',
  async (how) => {
    const changed: string[] = [];
    for (const [name, { text, options = {} }] of Object.entries(STATES)) {
      const disk = createCrashDisk(['/campaign']);
      disk.put(STATE_FILE, Buffer.from(LOG.join('')));
      await (await open(disk)).close();
      disk.put(STATE_FILE, Buffer.from(text));
      const before = contentOf(disk);
      const again = await open(disk, { ...options, allow: ['diverged', 'foreign'] });
      await again.close(how);
      if (contentOf(disk) !== before) changed.push(`${name}: ${before} → ${contentOf(disk)}`);
      // Asked again, it is the same question.
      const asked = await asProcess(disk.start(), () => openState({ ...WRITE, ...options }));
      if (asked.ok) changed.push(`${name}: opens without a question`);
    }
    expect(changed).toEqual([]);
  },
);

async function open(disk: CrashDisk, options: Partial<WriteOptions> = {}): Promise<WritableState> {
  const process = disk.start();
  const opened = await asProcess(process, () => openState({ ...WRITE, ...options }));
  if (!opened.ok) throw new Error(opened.error.detail);
  const open = opened.value;
  return { ...open, close: (how) => asProcess(process, () => open.close(how)) };
}

/** The lines of the log and what is remembered of it; an unfinished line counts for nothing, and is kept aside. */
function contentOf({ names }: CrashDisk): string {
  const log = names
    .get(STATE_FILE)
    ?.data.toString()
    .replace(/[^\n]+$/, '');
  const lock = statePaths(STATE_FILE).lock;
  return JSON.stringify([log, names.get(lock)?.data.toString()]);
}
