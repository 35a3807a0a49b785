import { appendFile, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createAttemptNotes, readAttempts } from '../../src/app/attempt-notes.ts';
import type { Facts } from '../../src/model/facts.ts';
import type { Job, Steps } from '../../src/model/step.ts';
import { realClock } from '../../src/util/clock.ts';

const START = Date.parse('2026-11-22T10:00:00.000Z');

let place: { readonly emulatorData: string };
let folder: string;
let time = START;

beforeEach(async () => {
  const home = await mkdtemp(join(tmpdir(), 'attempts-'));
  folder = join(home, '.campaign');
  place = { emulatorData: join(folder, 'm.stage.data') };
  time = START;
  onTestFinished(() => rm(home, { recursive: true }));
});

const notes = () => createAttemptNotes(place, { ...realClock, now: () => time });

/** Each attempt takes 5 ms. */
function steps(facts: () => Promise<Facts>): Steps {
  const run = () => {
    time += 5;
    return facts();
  };
  return { media: { run } } as never;
}

const job = (address: string) => ({ node: { address } }) as Job;
const done: Facts = { came: 'pending', sent: 'yes', waitMs: 1 };

async function attempt(address: string, facts = () => Promise.resolve(done)): Promise<void> {
  const noted = notes();
  const { media } = noted.around(steps(facts));
  await media.run(job(address), new AbortController().signal).catch(() => undefined);
  await noted.close();
}

it('notes when each attempt began and ended, and what came, also of one that threw', async () => {
  await attempt('media/hero/1@1');
  time += 100;
  await attempt('media/hero/2@1', () => Promise.reject(new Error('a bug')));
  expect(await readAttempts(place)).toEqual([
    { address: 'media/hero/1@1', begin: START, end: START + 5, came: 'pending' },
    { address: 'media/hero/2@1', begin: START + 105, end: START + 110, came: 'nothing' },
  ]);
  // Other states have their own.
  expect(await readAttempts({ emulatorData: join(folder, 'm.data') })).toEqual([]);
});

it('keeps the notes of the last ten runs, and writes many attempts as they come', async () => {
  const noted = notes();
  const { media } = noted.around(steps(() => Promise.resolve(done)));
  for (let n = 1; n <= 1_200; n += 1) await media.run(job(`media/hero/${n}@1`), new AbortController().signal);
  await noted.close();
  expect(await readAttempts(place)).toHaveLength(1_200);
  for (let run = 0; run < 10; run += 1) {
    time += 1_000;
    await attempt(`media/hero/${run}@2`);
  }
  expect(await readAttempts(place)).toHaveLength(10);
  expect((await readdir(folder)).filter((name) => name.includes('attempts'))).toHaveLength(10);
});

it('notes no more than eight megabytes of a run that asks for days', async () => {
  const noted = notes();
  const { media } = noted.around(steps(() => Promise.resolve(done)));
  const long = job(`media/hero/${'x'.repeat(20_000)}@1`);
  for (let n = 1; n <= 1_000; n += 1) await media.run(long, new AbortController().signal);
  await noted.close();
  const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.jsonl'));
  const { size } = await stat(join(folder, name));
  expect(size).toBeGreaterThan(8_000_000);
  expect(size).toBeLessThan(10_500_000);
  expect((await readAttempts(place)).length).toBeGreaterThanOrEqual(500);
});

it('leaves no file where nothing was attempted, and nothing fails with it', async () => {
  const idle = notes();
  await idle.close();
  expect(await readAttempts(place)).toEqual([]);
  // Something else is in the place of the folder.
  await writeFile(folder, 'x');
  await attempt('media/hero/1@1');
  expect(await readAttempts(place)).toEqual([]);
});

it('passes over what is damaged, and reads through no link', async () => {
  await attempt('media/hero/1@1');
  const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.jsonl'));
  await appendFile(
    join(folder, name),
    'null\n{"a":1}\n[1,2,3,4]\n["a",1,"2","x"]\n["a",1,2,3]\n["media/hero/2@1",1,2',
  );
  await mkdir(join(folder, 'm.stage.attempts-9999.jsonl'));
  await symlink(join(folder, name), join(folder, 'm.stage.attempts-9998.jsonl'));
  expect(await readAttempts(place)).toHaveLength(1);
});
