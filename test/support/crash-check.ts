/**
 * What must hold after every run, however it ended (RELIABILITY's D, L, U and S), checked against what the service
 * itself has noted: nothing made twice, nothing lost, nobody asked without need, no secret on the disk.
 */
import type { RunState } from '../../src/model/run-state.ts';
import { openState } from '../../src/state/open-state.ts';
import { READING } from './crash-apply.ts';
import { asProcess } from './crash-fs.ts';
import type { CrashWorld, Made } from './crash-world.ts';

/** A renamed key is `<key>.r<n>`: this is the node under its first name. */
export function firstName(address: string): string {
  return address.replace(/\.r\d+(?=[@/+]|$)/, '');
}

/** Every rule that is broken, in words. */
export async function violations(world: CrashWorld): Promise<string[]> {
  const opened = await asProcess(world.disk.start(), () => openState(READING));
  if (!opened.ok) return [`unreadable: ${opened.error.detail}`];
  const { state, warnings } = opened.value;
  // Ends that wait to be taken in are told to whoever looks; the next run has them before it asks anybody.
  const asked = warnings.length > 0 ? [] : needless(world, state);
  return [...madeTwice(world), ...lost(world, state), ...asked, ...secrets(world)];
}

/** Whether somebody has to decide about a create. */
export function unknownCreates({ objects, requests }: RunState): string[] {
  const nodes = [...objects.values(), ...requests.values()];
  return nodes.filter(({ status }) => status === 'unknown').map(({ address }) => address);
}

/** Ids of all that the state knows. */
export function knownIds({ objects, requests }: RunState): Set<string> {
  const results = [...objects.values(), ...requests.values()].map(({ result }) => result);
  return new Set(results.flatMap((result) => (result && 'id' in result ? [result.id] : [])));
}

/** D: one object a node; an item is generated again only after its generation failed. */
function madeTwice({ made }: CrashWorld): string[] {
  const nodes = new Set<string>();
  const items = new Set<string>();
  const found: string[] = [];
  for (const one of made) {
    const address = firstName(one.node.address);
    if (nodes.has(address)) found.push(`D: ${address} was made twice`);
    nodes.add(address);
    for (const { fingerprint, item } of itemsOf(one)) {
      if (items.has(fingerprint)) found.push(`D: ${address}: item ${item} was requested twice`);
      if (!one.failing.has(fingerprint)) items.add(fingerprint);
    }
  }
  return found;
}

function itemsOf({ node }: Made) {
  return node.kind === 'media-config' ? node.payload.items : [];
}

/** L: what was made is in the state, or its node waits for a decision. */
function lost({ made }: CrashWorld, state: RunState): string[] {
  const ids = knownIds(state);
  const unknown = new Set(unknownCreates(state).map(firstName));
  return made
    .filter(({ id, node }) => !ids.has(id) && !unknown.has(firstName(node.address)))
    .map(({ id, node }) => `L: ${node.address} was made as ${id} and is in no state`);
}

/** U: a decision is asked for only where a request was sent, or a process died between its intent and its end. */
function needless({ runs }: CrashWorld, state: RunState): string[] {
  const may = new Set(
    runs
      .flatMap(({ sent, intents, died, isKept }) => [...sent, ...(died || !isKept ? intents : [])])
      .map(firstName),
  );
  return unknownCreates(state)
    .filter((address) => !may.has(firstName(address)))
    .map((address) => `U: ${address} is unknown, and no request of it was ever sent`);
}

/** S: no key and no token in any file, nor in what is told. */
function secrets({ disk, runs }: CrashWorld): string[] {
  const texts = [...disk.names].map(([path, { data }]) => [path, data.toString('latin1')] as const);
  const told = runs.map((run) => ['standard error', run.told] as const);
  return [...texts, ...told]
    .filter(([, text]) => /token-\d|api_key/.test(text))
    .map(([where]) => `S: a secret is in ${where}`);
}
