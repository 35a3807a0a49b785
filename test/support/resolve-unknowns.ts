/** What a careful person does after a bad run of an example: looks into the service's books and decides. */
import { expect } from 'vitest';
import { join } from 'node:path';
import type { ObjectState, RequestState, RunState } from '../../src/model/run-state.ts';
import { listState, type StateRow } from '../../src/views/list-state.ts';
import type { ExampleCopy } from './example.ts';
import { duplicates, madeAs, unrecorded } from './ledger-check.ts';
import { readRunState } from './read-state.ts';
import { runHere } from './run-here.ts';

function stateOf({ folder, name }: ExampleCopy): Promise<RunState> {
  const identity = { campaign: name, environment: 'emulator', baseUrl: 'emulator' };
  return readRunState(join(folder, '.campaign', `${name}.emulator.state.jsonl`), identity);
}

/** Every node that the state of the example knows. */
export async function stateRows(example: ExampleCopy): Promise<StateRow[]> {
  return listState(await stateOf(example));
}

/** What may become unknown. */
const CREATES: readonly string[] = ['product', 'concept', 'media-config'];

/**
 * D and L: nothing was made twice, and all that was made is in the state or behind an unknown node. `kinds`: those for
 * which it must hold, where others are sent again by themselves.
 */
export async function checkInvariants(example: ExampleCopy, kinds = CREATES): Promise<void> {
  const ledger = example.ledger().filter(({ kind }) => kinds.includes(kind));
  expect(duplicates(ledger)).toEqual([]);
  const state = await stateOf(example);
  const rows = listState(state);
  const ids = idsOf(rows);
  let lost = unrecorded(ledger, rows);
  for (const { address } of rows.filter(isUnknownCreate)) {
    const id = madeAs(nodeOf(state, address), { lost, ids });
    lost = lost.filter((creation) => creation.id !== id);
  }
  expect(lost).toEqual([]);
}

/** Says what became of each unknown create of these kinds, and how many there were. */
export async function resolveUnknowns(example: ExampleCopy, kinds = CREATES): Promise<number> {
  const state = await stateOf(example);
  const rows = listState(state);
  const unknown = rows.filter((row) => isUnknownCreate(row) && kinds.includes(row.kind));
  const lost = unrecorded(example.ledger(), rows);
  for (const { address } of unknown) {
    const id = madeAs(nodeOf(state, address), { lost, ids: idsOf(rows) });
    const decision = id === undefined ? ['--not-created'] : ['--id', id];
    const args = ['resolve', 'campaign.yaml', address, ...decision, '--env', 'emulator'];
    expect(await runHere(args, { cwd: example.folder })).toMatchObject({ code: 0, stderr: '' });
  }
  return unknown.length;
}

function isUnknownCreate({ address, status }: StateRow): boolean {
  return status === 'unknown' && !address.startsWith('media/');
}

function idsOf(rows: readonly StateRow[]): Map<string, string | null> {
  return new Map(rows.map(({ address, id }) => [address, id]));
}

function nodeOf({ objects, requests }: RunState, address: string): ObjectState | RequestState {
  const node = objects.get(address) ?? requests.get(address);
  if (!node) throw new Error(`${address} is not in the state`);
  return node;
}
