/**
 * What each command says, word by word: the stories of test/cli/transcripts/stories.ts against their transcripts.
 * `npm run transcripts` writes these anew. A command says the same in a process of its own as here, where most tests
 * run it: both are compared with one transcript.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DB_VERBS, WORKER_VERBS } from '../../src/commands/db-verbs.ts';
import { LAST_VERBS } from '../../src/commands/last-verbs.ts';
import { STATE_VERBS } from '../../src/commands/state-verbs.ts';
import type { Verb } from '../../src/commands/verb.ts';
import { VERBS } from '../../src/commands/verbs.ts';
import { hasPostgres } from '../support/postgres.ts';
import { IS_FULL } from '../sweep/stride.ts';
import { STORIES } from './transcripts/stories.ts';
import { needsDatabase, tell } from './transcripts/story.ts';

const FOLDER = join(import.meta.dirname, 'transcripts');

const lines = STORIES.flatMap(({ steps }) => steps.filter((step) => typeof step === 'string'));
const verbOf = (line: string) => /(?<=\bcampaign )((state|db) )?\w+/.exec(line)?.[0] ?? '';

/** Which commands are processes of their own: all in `npm run test:sweep`, in `npm run test:system` the first of every second verb. */
const met = new Set<string>();
function isApart(line: string): boolean {
  const isFirst = !met.has(verbOf(line));
  met.add(verbOf(line));
  return IS_FULL || (isFirst && met.size % 2 === 0);
}

it('every command is in a story, and every transcript is of one', async () => {
  const names = (verbs: readonly Verb[], before = '') =>
    verbs.map(({ usage }) => before + usage.split(' ')[0]);
  const commands = [
    ...names([...VERBS, ...WORKER_VERBS, ...LAST_VERBS]),
    ...names(STATE_VERBS, 'state '),
    ...names(DB_VERBS, 'db '),
  ];
  const inStories = new Set(lines.map(verbOf));
  // These end by a signal alone: their own tests start them.
  expect(commands.filter((name) => !inStories.has(name)).sort()).toEqual(['emulator', 'ui']);
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.txt'));
  expect(files.sort()).toEqual(STORIES.map(({ name }) => `${name}.txt`).sort());
});

it.for(STORIES)('$name', async (story, { expect: expectHere, onTestFinished, skip }) => {
  skip(needsDatabase(story) && !hasPostgres, 'there is no Postgres here');
  const transcript = await tell(story, { isApart, atEnd: onTestFinished });
  await expectHere(transcript).toMatchFileSnapshot(join(FOLDER, `${story.name}.txt`));
});
