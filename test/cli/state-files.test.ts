/** `campaign state files`: what a script has to keep of a run, asked for with the arguments of that run. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitFolder } from './git-state.ts';

it('names every file of a state, also before there is one, for every flag of apply', async () => {
  const there = await gitFolder();
  const { folder } = there;
  const named = (...names: readonly string[]) => names.map((name) => `${join(folder, name)}\n`).join('');
  const files = async (...args: readonly string[]) => {
    const { code, stdout } = await there.campaign(['state', 'files', 'm.yaml', ...args]);
    return [code, stdout];
  };
  const beside = named('small.production.state.jsonl', 'small.production.decisions.yaml');
  const flags = ['--yes', '--no-wait', '--only', 'media/*', '--heartbeat', 'beat.json', '--deadline', '5m'];
  expect(await files(...flags, '--json', '--format', 'text')).toEqual([0, beside]);
  // The file beside the manifest says which database has the state.
  expect(await files('--state', 'postgres://nobody@127.0.0.1:1/none')).toEqual([0, beside]);
  expect(await files('--state', 'spring.jsonl')).toEqual([
    0,
    named('spring.jsonl', 'spring.jsonl.decisions.yaml', 'small.production.state.jsonl'),
  ]);
  // What costs nothing is not kept.
  expect(await files('--env', 'emulator')).toEqual([0, '']);

  await mkdir(join(folder, '.campaign'));
  const kept = [
    'errored-a.jsonl',
    'errored-b.jsonl.imported',
    'small.production.state.jsonl.replaced-c',
    'other',
  ];
  for (const name of kept) await writeFile(join(folder, '.campaign', name), '');
  const [code, json] = await files('--json');
  expect([code, JSON.parse(String(json))]).toEqual([
    0,
    {
      manifest: 'm.yaml',
      state: join(folder, 'small.production.state.jsonl'),
      decisions: join(folder, 'small.production.decisions.yaml'),
      kept: [
        'errored-a.jsonl',
        'errored-b.jsonl',
        'small.production.state.jsonl.replaced-b',
        'small.production.state.jsonl.replaced-c',
      ].map((name) => join(folder, '.campaign', name)),
    },
  ]);
});

it('refuses what apply would refuse, and what it cannot list', async () => {
  const there = await gitFolder();
  const { folder } = there;
  const files = (...args: readonly string[]) => there.campaign(['state', 'files', ...args]);
  await there.write('wrong.yaml', 'version: 1\n');
  const told = ['--notify', 'echo "$CAMPAIGN_OUTCOME" > told'];
  expect(await files('wrong.yaml', ...told)).toMatchObject({ code: 65, stdout: '' });
  expect(await there.read('told')).toBe('invalid\n');
  // Of several, apply goes on with those that are right.
  await there.write('told', '');
  const both = await files('wrong.yaml', 'm.yaml', ...told);
  expect([both.code, both.stdout.split('\n')[0]]).toEqual([65, join(folder, 'small.production.state.jsonl')]);
  expect(await there.read('told')).toBe('');
  expect(await files('m.yaml', '--state', 'a\nb.jsonl')).toMatchObject({ code: 64, stdout: '' });
  expect(await files('-', '--state', 'a.jsonl')).toMatchObject({ code: 64, stdout: '' });

  const refused = await files('m.yaml', '--refuse', 'The disk of git is full.', ...told);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('The disk of git is full.')]);
  expect(await there.read('told')).toBe('failed\n');
});
