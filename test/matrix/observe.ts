/** Plays one cell and says what was to be seen. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeStatus, RunState } from '../../src/model/run-state.ts';
import type { ServiceError } from '../../src/service/service-error.ts';
import { listState, type StateRow } from '../../src/views/list-state.ts';
import type { Result } from '../../src/util/result.ts';
import { duplicates, madeAs, unrecorded } from '../support/ledger-check.ts';
import { applyPlace, type Applied, CANARY_KEY } from './apply.ts';
import type { Endpoint } from './endpoints.ts';
import type { Fault } from './faults.ts';
import type { Place } from './place.ts';
import type { Stage } from './stage.ts';

/** One run, as seen from outside. */
export interface SeenRun {
  readonly exit: number;
  /** Requests of the endpoint that the service saw. */
  readonly requests: number;
  readonly status: NodeStatus | 'absent';
  readonly text: string;
}

export interface SeenStory {
  readonly faulty: SeenRun;
  /** With the fault lifted; undefined where it cannot be. */
  readonly after: SeenRun | undefined;
  /** What is wrong with the invariants D, L, U, S. */
  readonly broken: readonly string[];
}

/** A campaign comes to the fault, and is applied once more without it. */
export async function playStory(stage: Stage, endpoint: Endpoint, fault: Fault): Promise<SeenStory> {
  const place = await stage.place(fault);
  const { calls, ledger } = stage.emulator;
  const made = ledger.entries().length;
  const created = () => (fault.lies ? [] : ledger.entries().slice(made));
  const { wait = true, prune } = endpoint.story ?? {};
  const flags = { wait, ...(prune && { prune, yes: true as const }) };
  const routes = [endpoint.route, endpoint.story?.later];
  const count = () => calls.filter(({ route }) => routes.includes(route)).length;
  const run = async (offsetMs: number): Promise<SeenRun & Applied> => {
    const before = count();
    const applied = await applyPlace(place, { flags, offsetMs, timeouts: fault.timeouts });
    // The newest one: a request that came to nothing keeps its number.
    const named = (address: string) => address.replace(/@\d+$/, '') === endpoint.story?.node;
    const row = listState(applied.state).findLast(({ address }) => named(address));
    return { ...applied, requests: count() - before, status: row?.status ?? 'absent' };
  };
  await stage.begin(fault);
  const faulty = await run(fault.means.by === 'clock' ? fault.means.offsetMs : 0);
  const broken = await brokenInvariants(place, faulty, created());
  const unknown = listState(faulty.state).filter(({ status }) => status === 'unknown');
  for (const { address } of unknown) {
    const asked = faulty.requests > 0 && isOf(address, endpoint);
    if (!asked) broken.push(`U: ${address} is unknown, and the service never saw its request`);
  }
  await stage.lift();
  if (fault.means.by === 'tls') return { faulty, after: undefined, broken };
  const after = await run(0);
  broken.push(...(await brokenInvariants(place, after, created())));
  return { faulty, after, broken };
}

/** Whether a node is the one that the endpoint's request makes, or what that consists of. */
function isOf(address: string, { story }: Endpoint): boolean {
  const post = story?.node.replace(/^media-config\//, '') ?? '';
  return address.replace(/@\d+$/, '') === story?.node || address.startsWith(`media/${post}/`);
}

export interface SeenCall {
  readonly answer: Result<unknown, ServiceError>;
  readonly requests: number;
  readonly broken: readonly string[];
}

/** The client alone comes to the fault. */
export async function playCall(stage: Stage, endpoint: Endpoint, fault: Fault): Promise<SeenCall> {
  const { client, ids } = await stage.client(fault);
  await stage.begin(fault);
  const before = stage.emulator.calls.length;
  const answer = await endpoint.call(client, ids);
  const requests = stage.emulator.calls.slice(before).filter(({ route }) => route === endpoint.route).length;
  await stage.lift();
  const said = answer.ok ? '' : JSON.stringify(answer.error);
  return { answer, requests, broken: leaks(said) };
}

async function brokenInvariants(
  place: Place,
  { state, text }: Applied,
  ledger: ReturnType<Stage['emulator']['ledger']['entries']>,
): Promise<string[]> {
  const rows = listState(state);
  const files = await readdir(place.folder, { recursive: true, withFileTypes: true });
  const contents = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
  return [
    ...duplicates(ledger).map(({ kind, id }) => `D: ${kind} ${id} was made before`),
    ...lost(state, rows, ledger).map((id) => `L: ${id} was made, and nobody knows it`),
    ...leaks([text, ...contents].join('\n')),
  ];
}

/** What the service made that is neither in the state nor behind an unknown node. */
function lost(
  state: RunState,
  rows: readonly StateRow[],
  ledger: Parameters<typeof unrecorded>[0],
): string[] {
  const ids = new Map(rows.map(({ address, id }) => [address, id]));
  let open = unrecorded(ledger, rows);
  for (const node of [...state.objects.values(), ...state.requests.values()]) {
    if (node.status !== 'unknown') continue;
    const id = madeAs(node, { lost: open, ids });
    open = open.filter((creation) => creation.id !== id);
  }
  return open.map(({ kind, id }) => `${kind} ${id}`);
}

/** S: the key, or a token of the emulator, which is a JWT. */
function leaks(text: string): string[] {
  const found = [CANARY_KEY, /eyJ[\w-]{8,}\.eyJ[\w-]{8,}/].filter((secret) => text.search(secret) >= 0);
  return found.map((secret) => `S: ${String(secret)} was told`);
}
