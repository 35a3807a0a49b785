import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { peekLog } from '../../../src/store/file/peek-log.ts';
import { EVENTS, linesOf } from './sample-log.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

it('says what a log holds, also up to a line that is being written', async () => {
  await fs.writeFile(file, [...linesOf(EVENTS), '{"seq":99,"ty'].join(''));
  expect([...((await peekLog(file))?.objects.keys() ?? [])]).toEqual(['product/tote', 'product/mug']);
});

it('says nothing where there is none, or none that can be read; a pipe is not waited for', async () => {
  expect((await peekLog(file))?.objects.size).toBeUndefined();
  await fs.writeFile(file, 'no log\n');
  expect(await peekLog(file)).toBeUndefined();
  await fs.rm(file);
  await promisify(execFile)('mkfifo', [file]);
  expect(await peekLog(file)).toBeUndefined();
});
