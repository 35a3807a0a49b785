import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newLog } from '../../../src/store/file/start-log.ts';
import { makeWorkFolder, statePaths } from '../../../src/store/file/work-folder.ts';
import { IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let file: string;
let begun: number;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
  begun = 0;
  await makeWorkFolder(statePaths(file).work);
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const [HEADER = ''] = linesOf([]);

function make(replaces = false) {
  const paths = statePaths(file);
  const count = () => Promise.resolve(void begun++);
  return newLog(paths, {
    lineage: LINEAGE,
    identity: IDENTITY,
    aside: paths.replaced('r'),
    replaces,
    begun: count,
  });
}

it('has no file until something is written, and then its header comes first', async () => {
  const log = make();
  await log.file.close();
  expect(await fs.readdir(folder)).toEqual(['.campaign']);
  const next = make();
  await next.file.write(Buffer.from('line\n'), 0);
  await next.begin();
  await next.file.datasync();
  await next.file.verify(next.length + 5);
  expect(await fs.readFile(file, 'utf8')).toBe(`${HEADER}line\n`);
  await next.file.truncate(next.length);
  await next.file.close();
  expect(await fs.readFile(file, 'utf8')).toBe(HEADER);
  expect([begun, (await fs.stat(file)).mode & 0o777]).toEqual([1, 0o600]);
});

it('never takes the place of a file that came meanwhile, unless that was meant', async () => {
  const log = make();
  await fs.writeFile(file, 'mine');
  for (const attempt of [log.begin(), log.begin()])
    await expect(attempt).rejects.toThrow('was made by something else meanwhile');
  await log.file.close();
  expect([await fs.readFile(file, 'utf8'), begun]).toEqual(['mine', 0]);
  const over = make(true);
  await over.begin();
  await over.file.close();
  expect(await fs.readFile(file, 'utf8')).toBe(HEADER);
  expect(await fs.readdir(path.join(folder, '.campaign'))).toEqual(['.gitignore']);
});
