/** What a careful person does after a bad run of an example: looks into the service's books and decides. */
import { expect } from 'vitest';
import type { ObjectState, RequestState } from '../../src/model/run-state.ts';
import type { StateRow } from '../../src/views/list-state.ts';
import type { ExampleCopy } from './example.ts';
import { duplicates, madeAs, unrecorded } from './ledger-check.ts';
import { runCli } from './run-cli.ts';

/** Every node that the state of the example knows. */
export async function stateRows({ folder }: ExampleCopy): Promise<StateRow[]> {
  const args = ['state', 'list', '--env', 'emulator', '--json'];
  const { stdout, stderr } = await runCli(args, { cwd: folder });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as StateRow[];
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
  const rows = await stateRows(example);
  const ids = idsOf(rows);
  let lost = unrecorded(ledger, rows);
  for (const { address } of rows.filter(isUnknownCreate)) {
    const id = madeAs(await showNode(example, address), { lost, ids });
    lost = lost.filter((creation) => creation.id !== id);
  }
  expect(lost).toEqual([]);
}

/** Says what became of each unknown create of these kinds, and how many there were. */
export async function resolveUnknowns(example: ExampleCopy, kinds = CREATES): Promise<number> {
  const rows = await stateRows(example);
  const unknown = rows.filter((row) => isUnknownCreate(row) && kinds.includes(row.kind));
  const lost = unrecorded(example.ledger(), rows);
  for (const { address } of unknown) {
    const id = madeAs(await showNode(example, address), { lost, ids: idsOf(rows) });
    const decision = id === undefined ? ['--not-created'] : ['--id', id];
    const args = ['resolve', 'campaign.yaml', address, ...decision, '--env', 'emulator'];
    expect(await runCli(args, { cwd: example.folder })).toMatchObject({ code: 0, stderr: '' });
  }
  return unknown.length;
}

function isUnknownCreate({ address, status }: StateRow): boolean {
  return status === 'unknown' && !address.startsWith('media/');
}

function idsOf(rows: readonly StateRow[]): Map<string, string | null> {
  return new Map(rows.map(({ address, id }) => [address, id]));
}

async function showNode({ folder }: ExampleCopy, address: string): Promise<ObjectState | RequestState> {
  const args = ['state', 'show', 'campaign.yaml', address, '--env', 'emulator', '--json'];
  return JSON.parse((await runCli(args, { cwd: folder })).stdout) as ObjectState | RequestState;
}
