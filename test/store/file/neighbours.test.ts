import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { elsewhere, notThere } from '../../../src/store/file/absent-problem.ts';
import { noteState } from '../../../src/store/file/neighbours.ts';
import { findNeighbours } from '../../../src/store/file/neighbours.ts';
import { witnessesOf } from '../../../src/store/file/witnesses.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import { AT, EVENTS, IDENTITY, linesOf } from './sample-log.ts';
import { makePlace, openState, OPTIONS } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const put = (name: string, content: string) => fs.writeFile(path.join(folder, name), content);
const found = async (folders = [folder]) =>
  (await findNeighbours(file, IDENTITY, folders)).map(({ file: one, isGone }) => [
    path.basename(one),
    isGone,
  ]);

it('a state of the same campaign and service is one, whatever its environment, and as it was bound last', async () => {
  await put('a.state.jsonl', linesOf(EVENTS, { identity: { ...IDENTITY, environment: 'other' } }).join(''));
  await put('b.state.jsonl', linesOf(EVENTS, { identity: { ...IDENTITY, campaign: 'other' } }).join(''));
  await put('c.state.jsonl', linesOf(EVENTS, { identity: { ...IDENTITY, baseUrl: 'emulator' } }).join(''));
  const { campaign, environment, baseUrl: base_url } = IDENTITY;
  const bound = { type: 'rebound' as const, at: AT, campaign, environment, base_url };
  const respelled = 'https://STAGE.visuals.example.com:443/api/';
  await put('l.state.jsonl', linesOf(EVENTS, { identity: { ...IDENTITY, baseUrl: respelled } }).join(''));
  await put('d.state.jsonl', linesOf([bound], { identity: { ...IDENTITY, campaign: 'other' } }).join(''));
  await put('e.state.jsonl', linesOf([{ ...bound, campaign: 'other' }]).join(''));
  // Damaged further down, cut off, or no state at all.
  await put('f.state.jsonl', `${linesOf(EVENTS)[0]}what\n`);
  await put('g.state.jsonl', (linesOf([])[0] ?? '').trimEnd());
  await put('h.state.jsonl', 'what\n');
  await put('i.state.jsonl', '');
  await fs.mkdir(path.join(folder, 'j.state.jsonl'));
  await put('k.jsonl', linesOf(EVENTS).join(''));
  await put(path.basename(file), linesOf(EVENTS).join(''));
  const names = ['a', 'd', 'f', 'g', 'l'].map((name) => [`${name}.state.jsonl`, false]);
  expect(await found([folder, folder, path.join(folder, 'absent')])).toEqual(names);
  expect(await findNeighbours(file, { ...IDENTITY, baseUrl: 'emulator' }, [folder])).toEqual([]);
});

it('one that is called like a copy or a download is one, and not what a program writes for a moment', async () => {
  const copies = ['Copy of m.state.jsonl', 'm.state (1).jsonl', 'm.state - Kopie.jsonl'];
  const saved = ['m.state.jsonl.bak', 'm.state.jsonl.txt', 'm.state.jsonl~'];
  const others = ['.m.state.jsonl.swp', 'm.state.jsonl.7.tmp', 'm.states.jsonl'];
  for (const name of [...copies, ...saved, ...others]) await put(name, linesOf(EVENTS).join(''));
  expect(await found()).toEqual([...copies, ...saved].sort().map((name) => [name, false]));
});

it('one that was bound long after its first line belongs to what it was bound to', async () => {
  const long = (value: string) => ({ type: 'learned' as const, at: AT, name: 'x', value });
  const bound = { type: 'rebound' as const, at: AT, campaign: 'other', environment: 'e', base_url: 'b' };
  for (const [name, length] of [
    ['a', 1 << 20],
    // Around the end of what is looked through at once.
    ['b', (1 << 20) - 450],
  ] as const) {
    await put(`${name}.state.jsonl`, linesOf([...EVENTS, long('y'.repeat(length)), bound]).join(''));
    await put(`${name}-own.state.jsonl`, linesOf([...EVENTS, long('y'.repeat(length))]).join(''));
  }
  expect(await found()).toEqual([
    ['a-own.state.jsonl', false],
    ['b-own.state.jsonl', false],
  ]);
});

it('one that is remembered is one, by what it says itself, or by the note where it is gone', async () => {
  for (const name of ['a.jsonl', 'b.jsonl', 'c.jsonl'])
    await noteState(folder, { file: path.join(folder, name), identity: IDENTITY });
  await put('a.jsonl', linesOf(EVENTS).join(''));
  await put('b.jsonl', linesOf(EVENTS, { identity: { ...IDENTITY, campaign: 'other' } }).join(''));
  expect(await found()).toEqual([
    ['a.jsonl', false],
    ['c.jsonl', true],
  ]);
});

it('where there is one, nothing is begun: it is named, with what goes on from there', async () => {
  await put('m.yaml', '');
  await fs.mkdir(path.join(folder, 'linked'));
  await fs.symlink('../m.yaml', path.join(folder, 'linked/m.yaml'));
  await put("it's.state.jsonl", linesOf(EVENTS).join(''));
  const witnesses = witnessesOf(path.join(folder, 'linked/m.yaml'), {
    env: {},
    target: 'm.yaml --env stage',
  });
  const stateFile = path.join(folder, 'linked/m.stage.state.jsonl');
  const other = path.join(folder, "it's.state.jsonl");
  const problem = {
    code: 'state-elsewhere',
    exit: 76,
    summary: 'The state of this campaign has another name',
    detail:
      `${stateFile} does not exist, and ${other} is the state of spring-launch, stage, ` +
      'https://stage.visuals.example.com/api: the same campaign at the same service. A manifest or an environment that ' +
      'was renamed, or a forgotten --state, would make everything a second time. `campaign state adopt m.yaml --env ' +
      `stage '${other.replace("'", `'\\''`)}'\` makes it the state of this manifest and environment; to leave it where it ` +
      'is, name it with --state. If this is to be a campaign of its own, `campaign state new m.yaml --env stage` begins a ' +
      'new state.',
  };
  const options = { ...OPTIONS, stateFile, witnesses };
  expect(await openState({ ...options, mode: 'read' })).toEqual({ ok: false, error: problem });
  expect(await openState({ ...options, mode: 'write' })).toEqual({ ok: false, error: problem });
  const anew = await openState({ ...options, mode: 'write', allow: ['vanished'] });
  if (!anew.ok) throw new Error(anew.error.detail);
  await anew.value.recorder.append(EVENTS);
  await anew.value.close();
  const again = await openState({ ...options, mode: 'write' });
  if (!again.ok) throw new Error(again.error.detail);
  await again.value.close();
});

it('one that is gone has to come back first', () => {
  const neighbour = { file: '/c/m.state.jsonl', identity: IDENTITY, isGone: true };
  const { detail } = elsewhere('/c/spring.state.jsonl', { neighbour, target: '' });
  expect(detail).toContain(
    'That one is not there any more: bring it back, from git or a backup, then `campaign state adopt /c/m.state.jsonl` makes',
  );
  expect(notThere('x').detail).toBe('x does not exist. Bring it back, from git or a backup, then run again.');
});

it('the emulator leaves no note, and a manifest that is gone is looked for by its name', async () => {
  const witnesses = witnessesOf(path.join(folder, 'm.yaml'), { env: {}, target: '' });
  await witnesses.note(statePaths(file), { ...IDENTITY, baseUrl: 'emulator' });
  expect(await fs.readdir(folder)).toEqual([]);
  expect(await witnesses.neighbours(statePaths(file), IDENTITY)).toEqual({ found: [] });
});
