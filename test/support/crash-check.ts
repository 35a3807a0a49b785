/**
 * What must hold after every run, however it ended (docs/reliability.md: D, L, U and S), checked against what the service
 * itself has noted: nothing made twice, nothing lost, nobody asked without need, no secret on the disk.
 */
import { kindHas } from '../../src/model/kinds.ts';
import { spendingOf, spentSince } from '../../src/log/spending.ts';
import type { RunState } from '../../src/model/run-state.ts';
import { readState, tryNextRun } from './crash-apply.ts';
import type { CrashDisk } from './crash-disk.ts';
import { excused } from './crash-run.ts';
import type { CrashWorld, Made } from './crash-world.ts';
import { holds } from './find-secret.ts';
import { SECRETS } from './simulated-service.ts';

/** A renamed key is `<key>.r<n>`: this is the node under its first name. */
export function firstName(address: string): string {
  return address.replace(/\.r\d+(?=[@/+]|$)/, '');
}

/** Every rule that is broken, in words. */
export async function violations(world: CrashWorld): Promise<string[]> {
  const always = [...madeTwice(world), ...secrets(world)];
  const opened = await readState(world);
  // A log that was replaced: before it is settled which copy counts, it knows nothing.
  if (world.replaced && (opened.ok ? opened.value.diverged : opened.error.code === 'state-vanished'))
    return always;
  if (!opened.ok) return [...always, `unreadable: ${opened.error.detail}`];
  const { state } = opened.value;
  if (!isWaiting(world.disk)) return [...always, ...lost(world, state), ...needless(world, state)];
  const next = await asNextRun(world);
  if (typeof next === 'string') return [...always, next];
  const read = world.replaced ? [] : lost(world, state);
  return [...always, ...read, ...lost(world, next), ...needless(world, next)];
}

/** What a run could not write into the log is in a file beside it, which the next run takes in. */
function isWaiting({ names }: CrashDisk): boolean {
  return [...names.keys()].some((path) => /\/errored-.+\.jsonl$/.test(path));
}

/** The state as the next run will have it, or why it will not. */
async function asNextRun(world: CrashWorld): Promise<RunState | string> {
  const opened = await tryNextRun(world);
  return opened.ok ? opened.value.state : `the next run is refused: ${opened.error.detail}`;
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

/** D: one object a node; an item is generated again only after its generation failed, and because it was asked for. */
function madeTwice({ made, takenAway }: CrashWorld): string[] {
  const nodes = new Map<string, Made>();
  const items = new Map<string, Made>();
  const found: string[] = [];
  const isGone = (before: Made, one: Made) => one.asked && takenAway.has(before.id);
  for (const one of made) {
    // A renamed post may number its requests anew; that none of its items is requested twice is checked below.
    const address = one.kind === 'media-config' ? one.node.address : firstName(one.node.address);
    const former = nodes.get(address);
    if (former && !isGone(former, one)) found.push(`D: ${address} was made twice`);
    nodes.set(address, one);
    for (const { fingerprint, item } of itemsOf(one)) {
      const wanted = `${fingerprint} ${periodIn(one)}`;
      const before = items.get(wanted);
      items.set(wanted, one);
      if (!before || isGone(before, one)) continue;
      if (!before.failing.has(fingerprint)) found.push(`D: ${address}: item ${item} was requested twice`);
      else if (!one.asked)
        found.push(`D: ${address}: item ${item} had failed, and was requested again unasked`);
    }
  }
  return found;
}

function itemsOf({ node }: Made) {
  return kindHas(node, 'stored', 'request') ? node.payload.items : [];
}

/** Each period wants its own. */
function periodIn({ node }: Made): string {
  return (kindHas(node, 'stored', 'request') ? node.payload.period : undefined) ?? '';
}

/** L: what was made is in the state, with all the posts that were made with it, or its node waits for a decision. */
function lost(world: CrashWorld, state: RunState): string[] {
  return [...unrecorded(world, state), ...uncounted(world, state)];
}

/** B: what the state counts as spent is never less than what was made, so that no budget is exceeded. */
function uncounted({ made }: CrashWorld, state: RunState): string[] {
  const [number, posts] = counts(made, state);
  return posts < number ? [`B: ${number} posts were made, and ${posts} count as spent`] : [];
}

/** B: once everything is decided, what is counted is what was made. */
export function miscounted({ made }: CrashWorld, state: RunState): string[] {
  const [number, posts] = counts(made, state);
  return posts === number ? [] : [`B: ${number} posts were made, and ${posts} count as spent in the end`];
}

/** Posts that were made, and those that count as spent. */
function counts(made: readonly Made[], state: RunState): readonly [number, number] {
  const { posts } = spentSince(spendingOf(state, {}), '');
  return [made.reduce((total, one) => total + itemsOf(one).length, 0), posts];
}

function unrecorded({ made, service }: CrashWorld, state: RunState): string[] {
  const deleted = deletedIds(service);
  const ids = new Set([...knownIds(state), ...deleted]);
  const media = knownMedia(state);
  const unknown = new Set(unknownCreates(state).map(firstName));
  return made.flatMap((one) => {
    const { id, node } = one;
    if (!ids.has(id))
      return unknown.has(firstName(node.address))
        ? []
        : [`L: ${node.address} was made as ${id} and is in no state`];
    const missing = deleted.has(id) ? [] : one.media.filter((medium) => !media.has(medium));
    return missing.map((medium) => `L: ${medium} of ${node.address} is being made and is in no state`);
  });
}

/** What the service has deleted because it was asked to. */
function deletedIds({ ledger }: CrashWorld['service']): ReadonlySet<string> {
  return new Set(ledger.flatMap(({ action, id }) => (action === 'delete' ? [id] : [])));
}

/** P: once everything is done, nothing that the state has is deleted, and so nothing that the manifest names. */
export function deletedInState({ service }: CrashWorld, state: RunState): string[] {
  const deleted = deletedIds(service);
  return [...knownIds(state)]
    .filter((id) => deleted.has(id))
    .map((id) => `P: ${id} is in the state, and deleted`);
}

/** Ids of the posts that the state waits for, or has: each is in the answer of its request and has a take. */
function knownMedia({ requests, media }: RunState): Set<string> {
  const takes = new Set(
    [...media.values()].flatMap((one) =>
      one.takes.map(({ request, requestedAs }) => `${request} ${requestedAs}`),
    ),
  );
  return new Set(
    [...requests.values()].flatMap(({ address, result }) =>
      Object.entries(result?.items ?? {}).flatMap(([name, { id }]) =>
        typeof id === 'string' && takes.has(`${address} ${name}`) ? [id] : [],
      ),
    ),
  );
}

/** G: a post that was made is not given up, whatever the service said of it meanwhile, unless its making may fail. */
export function givenUp({ media }: RunState, mayFail: (description: string) => boolean): string[] {
  return [...media.values()].flatMap(({ address, takes }) =>
    takes.flatMap(({ status, inputs }) => {
      const [description] = [inputs['descriptions']].flat();
      const isFailed = status === 'failed' && !(typeof description === 'string' && mayFail(description));
      return status === 'lost' || isFailed ? [`G: ${address} is given up as ${status}`] : [];
    }),
  );
}

/** U: a decision is asked for only where a request left without a clear answer, or a process died on an open intent. */
function needless({ runs }: CrashWorld, state: RunState): string[] {
  const may = new Set(runs.flatMap(excused).map(firstName));
  return unknownCreates(state)
    .filter((address) => !may.has(firstName(address)))
    .map((address) => `U: ${address} is unknown, and the service could have done nothing`);
}

/** All that secrets have in common in most of their spellings: what is looked for after every run. */
const CORES = Object.values(SECRETS).map((secret) => secret.replace(/[ .].*/, ''));

/** S: no key and no token in any file, nor in what is told. */
function secrets(world: CrashWorld): string[] {
  return texts(world)
    .filter(([, bytes]) => CORES.some((core) => bytes.includes(core)))
    .map(([where]) => `S: a secret is in ${where}`);
}

/** S in every spelling, which takes its time: for the end of a story. */
export function hiddenSecrets(world: CrashWorld): string[] {
  return texts(world)
    .filter(([, bytes]) => holds(bytes, Object.values(SECRETS)))
    .map(([where]) => `S: a secret is in ${where}`);
}

function texts({ disk, memory, runs }: CrashWorld): (readonly [string, Buffer])[] {
  const files = [...disk.names].map(([path, { data }]) => [path, data] as const);
  const told = Buffer.from(runs.map((run) => run.told).join(''));
  const kept = Buffer.from(JSON.stringify(memory?.records ?? []));
  return [...files, ['the store', kept] as const, ['standard error', told] as const];
}
