import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { witnessesOf } from '../../../src/store/file/witnesses.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import { bytesOf, EVENTS, linesOf } from './sample-log.ts';
import { makePlace, openState, OPTIONS, write, written } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const kept = (run: string) => statePaths(file).replaced(run);

/** What a writer is told once the log is gone, and its run's copies are all that is left. */
async function told(): Promise<string> {
  const state = await written(file);
  await state.recorder.append(EVENTS);
  await state.close();
  await fs.rm(file);
  // A run's copy may be damaged, no file, or of another state: only what goes on from what was here is named.
  await fs.writeFile(kept('a'), 'hello\n');
  await fs.mkdir(kept('b'));
  await fs.writeFile(kept('c'), bytesOf(linesOf(EVENTS, { lineage: 'other' })));
  await fs.writeFile(kept('d'), bytesOf(linesOf(EVENTS.slice(0, 3), { run: 'run-2' })));
  await fs.writeFile(`${file}.mine`, bytesOf(linesOf(EVENTS, { run: 'run-2' })));
  const refused = await write(file);
  if (refused.ok) throw new Error('it was opened');
  return refused.error.detail;
}

it('a log that was kept is named where the state is gone, if it goes on from what was here', async () => {
  expect(await told()).not.toContain('kept in');
  await fs.writeFile(kept('e'), bytesOf(linesOf([...EVENTS, ...EVENTS], { run: 'run-2' })));
  const refused = await write(file);
  expect(!refused.ok && refused.error).toMatchObject({
    code: 'state-vanished',
    detail: expect.stringMatching(
      new RegExp(` A log that goes on from there is kept in ${kept('e')}\\.$`),
    ) as string,
  });
});

it('a log that has another name now is named, and an older one is not', async () => {
  const witnesses = witnessesOf(path.join(folder, 'm.yaml'), { env: {}, manifestsIn: () => [] });
  const options = { ...OPTIONS, stateFile: file, witnesses, mode: 'write' } as const;
  const opened = await openState(options);
  if (!opened.ok) throw new Error(opened.error.detail);
  await opened.value.recorder.append(EVENTS);
  await opened.value.close();
  const other = path.join(folder, 'x.state.jsonl');
  await fs.rename(file, other);
  const detail = expect.stringContaining(`${other} is the state of`) as string;
  expect(await openState(options)).toMatchObject({ error: { code: 'state-elsewhere', detail } });

  const lines = (await fs.readFile(other, 'utf8')).split('\n').slice(0, 3);
  await fs.writeFile(other, `${lines.join('\n')}\n`);
  expect(await openState(options)).toMatchObject({ error: { code: 'state-vanished' } });
});

it('what was looked at is not left open', async () => {
  await told();
  const links = await Promise.all(
    (await fs.readdir('/proc/self/fd')).map((fd) => fs.readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  expect(links.filter((link) => link.startsWith(path.join(folder, path.sep)))).toEqual([]);
});
