import * as fs from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppEvent } from '../../src/app/runtime.ts';
import { thenClose } from '../../src/app/open-for-run.ts';
import { EXIT, type ExitCode } from '../../src/model/exit.ts';
import { statePaths } from '../../src/store/file/work-folder.ts';
import { AT, EVENTS, linesOf } from '../store/file/sample-log.ts';
import { makePlace, written } from '../store/file/state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
  await fs.writeFile(file, linesOf(EVENTS).join(''));
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

/** Records something and ends; before it is closed, a folder stands where the file of the lock's holder is taken away. */
async function ended(exit: ExitCode, { isBlocked }: { isBlocked: boolean }) {
  const open = await written(file);
  const told: AppEvent[] = [];
  const { holder } = statePaths(file);
  const end = await thenClose({ emit: (event) => told.push(event) }, open, {
    async run() {
      await open.recorder.append([{ type: 'learned', at: AT, name: 'a', value: 'b' }]);
      if (isBlocked) {
        await fs.rm(holder);
        await fs.mkdir(holder);
      }
      return { exit, more: 'kept' };
    },
  });
  return { end, told };
}

describe('closing a state', () => {
  it('leaves the end as it is', async () => {
    expect(await ended(EXIT.incomplete, { isBlocked: false })).toEqual({
      end: { exit: 3, more: 'kept' },
      told: [],
    });
  });

  it('is 74 where the disk refuses it, which says that all is recorded', async () => {
    const { end, told } = await ended(EXIT.ok, { isBlocked: true });
    expect(end).toEqual({ exit: 74, more: 'kept' });
    expect(told).toMatchObject([
      {
        type: 'diagnostic',
        code: 'cannot-write',
        summary: 'The state could not be closed as it should',
        detail: expect.stringContaining('. All that was recorded is in the state, and durable. ') as string,
      },
    ]);
    expect(await fs.readFile(file, 'utf8')).toContain('"type":"learned"');
  });

  it('hides no end that is worse', async () => {
    expect((await ended(EXIT.badState, { isBlocked: true })).end.exit).toBe(76);
  });

  it('throws a bug on, and gives the lock back', async () => {
    const open = await written(file);
    const bug = () => Promise.reject(new TypeError('x is undefined'));
    await expect(thenClose({ emit() {} }, open, { run: bug })).rejects.toThrow('x is undefined');
    await (await written(file)).close();
  });
});
