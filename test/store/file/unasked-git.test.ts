import * as fs from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EMULATOR } from '../../../src/model/emulator.ts';
import type { Committed } from '../../../src/store/file/committed.ts';
import type { WriteOptions } from '../../../src/store/file/write-session.ts';
import { NO_WITNESSES } from '../../support/no-witnesses.ts';
import { AT, EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace, openState, OPTIONS } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const UNASKED = {
  type: 'unasked',
  why: 'git is not installed',
  remedy: 'Install git, then run again',
} as const;
const EMULATED = { ...IDENTITY, baseUrl: EMULATOR };

type More = Partial<Pick<WriteOptions, 'allow' | 'identity' | 'witnesses'>>;

/** Opens where git's HEAD says this of the state. */
function opener(committed: Committed) {
  const witnesses = { ...NO_WITNESSES, committed: () => Promise.resolve(committed) };
  const options = { ...OPTIONS, witnesses, stateFile: file };
  return {
    read: (more: More = {}) => openState({ ...options, ...more, mode: 'read' }),
    write: (more: More = {}) => openState({ ...options, ...more, mode: 'write' }),
  };
}

/** Opens a state that it may, says that it counts where it is asked, and gives the warnings. */
async function opened(opening: ReturnType<ReturnType<typeof opener>['write']>, isRebound = false) {
  const state = await opening;
  if (!state.ok) throw new Error(state.error.detail);
  const { campaign, environment, baseUrl: base_url } = IDENTITY;
  if (isRebound)
    await state.value.recorder.append([{ type: 'rebound', at: AT, campaign, environment, base_url }]);
  await state.value.close();
  return state.value.warnings;
}

describe('a state that is not there, where git cannot be asked', () => {
  const summary = 'Whether there is a state cannot be seen';

  it('is not begun, and a reader is told so once', async () => {
    const { read, write } = opener(UNASKED);
    const refused = await write();
    expect(refused).toMatchObject({ error: { code: 'state-unseen', exit: 76, summary } });
    expect(!refused.ok && refused.error.detail).toContain(
      'git cannot be asked: git is not installed. Starting anew would then make everything a second time. Install git',
    );
    await expect(fs.access(file)).rejects.toThrow('ENOENT');
    const seen = await read();
    expect(seen).toMatchObject({ value: { known: 0, diverged: { code: 'state-unseen' } } });
    expect(seen.ok && seen.value.warnings).toEqual([
      expect.stringContaining(`${summary}, and commands that write refuse it (76): ${file} is not there.`),
    ]);
  });

  it('is begun where somebody says so, and for the emulator, which costs nothing', async () => {
    const { write } = opener(UNASKED);
    expect(await opened(write({ identity: EMULATED }))).toHaveLength(1);
    await fs.rm(folder, { recursive: true });
    await fs.mkdir(folder);
    expect(await opened(write({ allow: ['vanished'] }), true)).toEqual([
      expect.stringContaining('could not be seen: git is not installed'),
    ]);
  });

  it('is not begun either where another folder of campaigns cannot be asked', async () => {
    const others = () => Promise.resolve({ found: [], warnings: [], unasked: UNASKED });
    const refused = await opener({ type: 'none' }).write({ witnesses: { ...NO_WITNESSES, others } });
    expect(refused).toMatchObject({ error: { code: 'state-unseen', summary } });
  });
});

it.each<[string, Committed, boolean]>([
  ['that has it', { type: 'log', blob: 'x', checkpoint: { lineage: LINEAGE }, isSettled: false }, true],
  [
    'that has one that was decided about',
    { type: 'log', blob: 'x', checkpoint: { lineage: 'o' }, isSettled: true },
    false,
  ],
  ['that has it without its content', { type: 'unread', why: 'it is in Git LFS' }, true],
  ['that has it and cannot give it out', { ...UNASKED, isThere: true }, true],
])('a state that is gone from a folder with a HEAD %s', async (_, committed, isRefused) => {
  const { read, write } = opener(committed);
  const gone = { code: 'state-vanished', exit: 76, summary: 'The state is gone' };
  if (isRefused) for (const one of [await read(), await write()]) expect(one).toMatchObject({ error: gone });
  else expect(await opened(write())).toEqual([]);
});

describe('a state that this machine does not remember, where git cannot be asked', () => {
  const summary = 'Whether the state is the newest copy cannot be seen';

  beforeEach(() => fs.writeFile(file, linesOf(EVENTS).join('')));

  it('may be an older copy: a writer is refused, and a reader told so once', async () => {
    const { read, write } = opener(UNASKED);
    for (const allow of [[], ['vanished']] as const)
      expect(await write({ allow })).toMatchObject({ error: { code: 'state-unseen', exit: 76, summary } });
    const seen = await read();
    expect(seen).toMatchObject({ value: { known: 2, diverged: { code: 'state-unseen' }, mark: undefined } });
    expect(seen.ok && seen.value.warnings).toEqual([
      expect.stringContaining(
        `${summary}, and commands that write refuse it (76): ${file} is in a git repository`,
      ),
    ]);
  });

  it('counts where somebody says so, from then on, with a warning for as long as git says nothing', async () => {
    const { read, write } = opener(UNASKED);
    await opened(write({ allow: ['diverged'] }), true);
    const warning = expect.stringContaining('could not be seen: git is not installed');
    expect(await opened(write())).toEqual([warning]);
    const seen = await read();
    expect(seen.ok && [seen.value.diverged, seen.value.warnings]).toEqual([undefined, [warning]]);
  });

  it('costs nothing where it is that of the emulator', async () => {
    await fs.writeFile(file, linesOf(EVENTS, { identity: EMULATED }).join(''));
    expect(await opened(opener(UNASKED).write({ identity: EMULATED }))).toHaveLength(1);
  });

  it('counts for whoever makes it that of another campaign, but not against what git says', async () => {
    const identity = { ...IDENTITY, campaign: 'summer' };
    const more: More = { identity, allow: ['foreign'] };
    const checkpoint = { lineage: LINEAGE, last: { seq: 9, crc: 1 } };
    const older = opener({ type: 'log', blob: 'x', checkpoint, isSettled: false });
    expect(await older.write(more)).toMatchObject({ error: { code: 'state-diverged' } });
    await opened(opener(UNASKED).write(more));
  });
});
