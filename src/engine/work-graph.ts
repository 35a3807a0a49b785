/**
 * The nodes of a run and what each waits for. A node is
 * - held back, until all nodes that it depends on are done, and all nodes that it comes after have ended → ready
 * - ready, until it is handed out → running
 * - running, until it is finished → ended, or put back → waiting
 * - waiting, until its due time has come → ready
 * - ended; a node that did not succeed ends its dependents with it, but a request goes without the items that need it.
 *
 * The nodes of new posts come in when a poll of theirs would be the next, or when all nodes are looked at: until then
 * their request stands for them.
 */
import type { Address } from '../model/address.ts';
import { isSubmitting, kindHas } from '../model/kinds.ts';
import type { PlannedAs, PlannedNode } from '../model/plan.ts';
import type { NodeEnd } from '../model/run-event.ts';
import { withoutProduct } from './narrow-request.ts';
import type { Ended } from './work-source.ts';

export interface Entry {
  node: PlannedNode;
  /** That of its request and a part of 1 where it came in with it. */
  readonly order: number;
  readonly priority: number;
  /** Of a request whose posts have not come in yet. */
  takes: (() => readonly PlannedNode[]) | undefined;
  /** Undefined where it has none. */
  dependents: Entry[] | undefined;
  /** The nodes that come after it, until they are released; undefined where it has none. */
  followers: Entry[] | undefined;
  hasReleased: boolean;
  unmet: number;
  state: 'held-back' | 'ready' | 'running' | 'waiting' | 'ended';
  end: NodeEnd | undefined;
}

export interface WorkGraph {
  /** Without nodes that are done: nothing asks for them again. */
  readonly entries: Map<Address, Entry>;
  readonly makeReady: (entry: Entry) => void;
  /** Called with a request that is done, whose posts have not come in yet. */
  readonly bringInLater: (request: Entry) => void;
  left: number;
  /** How many nodes were added. */
  size: number;
}

/**
 * The priority of a poll that a download follows: downloads take turns with polls, in the order of the plan, so that
 * files are checked and saved while other posts are polled, and not all of them at the end.
 */
const LEAST_OF_READS = 2;

/** Adds nodes, dependencies first; returns those that ended at once. */
export function addNodes(graph: WorkGraph, nodes: readonly PlannedNode[]): readonly Ended[] {
  const first = graph.size;
  graph.size += nodes.length;
  return addInOrder(graph, nodes, (index) => first + index);
}

/** Adds the nodes of a request's posts, in the order of the plan. */
export function bringIn(graph: WorkGraph, request: Entry): void {
  const nodes = request.takes?.() ?? [];
  request.takes = undefined;
  if (request.end === 'done') graph.entries.delete(request.node.address);
  addInOrder(graph, nodes, (index) => request.order + (index + 1) / (nodes.length + 1));
}

function addInOrder(
  graph: WorkGraph,
  nodes: readonly PlannedNode[],
  orderOf: (index: number) => number,
): readonly Ended[] {
  const { entries } = graph;
  const paths = longestPaths(nodes);
  const added = nodes.map((node, index): Entry => {
    const least = isSubmitting(node.kind) ? 1 : LEAST_OF_READS;
    const priority = Math.max(least, paths.get(node.address) ?? 1);
    const order = orderOf(index);
    const takes = 'takes' in node ? node.takes : undefined;
    const links = { dependents: undefined, followers: undefined, hasReleased: false, unmet: 0 };
    const entry: Entry = { node, order, priority, takes, ...links, state: 'held-back', end: undefined };
    entries.set(node.address, entry);
    return entry;
  });
  graph.left += added.length;
  const ended = added.flatMap((entry) => link(graph, entry));
  for (const entry of added) makeReadyIfMet(graph, entry);
  return ended;
}

/**
 * For each node the length of the longest path from it to a node without dependents, itself included. Dependencies have
 * to come before their dependents, as in a plan.
 */
export function longestPaths(
  nodes: readonly (Pick<PlannedNode, 'address' | 'dependsOn'> & { readonly takes?: unknown })[],
): ReadonlyMap<Address, number> {
  const lengths = new Map<Address, number>();
  for (const { address, dependsOn, takes } of nodes.toReversed()) {
    const length = lengths.get(address) ?? (takes ? 1 + PATH_OF_TAKE : 1);
    lengths.set(address, length);
    for (const dependency of dependsOn)
      lengths.set(dependency, Math.max(lengths.get(dependency) ?? 1, length + 1));
  }
  return lengths;
}

/** A new post is polled, then downloaded. */
const PATH_OF_TAKE = 2;

function link(graph: WorkGraph, entry: Entry): readonly Ended[] {
  const { entries } = graph;
  const { node } = entry;
  // The plan blocks it, because something that it needs failed or is unknown since an earlier run.
  const [reason] = node.reasons;
  if (node.action === 'blocked')
    return finishNode(graph, { node, end: 'blocked', problem: { summary: reason?.summary ?? 'blocked' } });
  for (const address of node.dependsOn) {
    const dependency = entries.get(address);
    if (!dependency || dependency.end === 'done') continue;
    if (dependency.end) return finishNode(graph, { node, ...passedOn(address, dependency.end) });
    dependency.dependents = withOne(dependency.dependents, entry);
    entry.unmet += 1;
  }
  for (const address of node.after ?? []) {
    const first = entries.get(address);
    if (!first || first.hasReleased) continue;
    first.followers = withOne(first.followers, entry);
    entry.unmet += 1;
  }
  return [];
}

/** Most nodes have one dependent, and a list that was made by a push has room for 17: 140 bytes a node. */
function withOne(entries: Entry[] | undefined, entry: Entry): Entry[] {
  if (!entries) return [entry];
  entries.push(entry);
  return entries;
}

export function finishNode(graph: WorkGraph, ended: Ended): readonly Ended[] {
  const root = graph.entries.get(ended.node.address);
  if (!root || root.end) return [];
  if (ended.end !== 'done') bringIn(graph, root);
  close(graph, root, ended.end);
  if (ended.end === 'done') {
    if (root.takes) graph.bringInLater(root);
    else graph.entries.delete(root.node.address);
    for (const dependent of root.dependents ?? []) meet(graph, dependent);
    return [ended];
  }
  const passed = passedOn(ended.node.address, ended.end);
  const all = [ended];
  const reached = [root];
  for (const { node, dependents = [] } of reached) {
    for (const entry of dependents.filter(({ end }) => !end)) {
      bringIn(graph, entry);
      const left = passed.end === 'blocked' ? withoutProduct(entry.node, node.address) : undefined;
      const over = left ? narrow(entry, left) : [entry];
      if (left) meet(graph, entry);
      for (const each of over) {
        close(graph, each, passed.end);
        reached.push(each);
        all.push({ node: each.node, ...passed });
      }
    }
  }
  return all;
}

/** Puts what is left of a request in its place; returns the media of the items that left it. */
function narrow(entry: Entry, left: PlannedAs<'request'>): Entry[] {
  entry.node = left;
  const items = new Set(left.payload.items.map(({ item }) => item));
  return (entry.dependents ?? []).filter(
    ({ node, end }) => !end && kindHas(node, 'stored', 'take') && !items.has(node.payload.item),
  );
}

/** The end of everything that depends on a node which was not done; the problem names that node. */
export function passedOn(address: Address, end: NodeEnd): Pick<Ended, 'end' | 'problem'> {
  if (end === 'unchanged') return { end };
  if (end === 'pending')
    return { end, problem: { summary: 'waits for what it depends on', detail: address } };
  if (end === 'put-off')
    return {
      end,
      problem: { summary: 'put off with what it depends on', detail: address, cause: 'upstream' },
    };
  const problem = { summary: 'blocked by what it depends on', detail: `${address}: ${end}` };
  return { end: 'blocked', problem };
}

function close(graph: WorkGraph, entry: Entry, end: NodeEnd): void {
  entry.state = 'ended';
  entry.end = end;
  graph.left -= 1;
  letGo(graph, entry);
}

/** Only once, because a node that released others and ends later must not count twice. */
export function letGo(graph: WorkGraph, entry: Entry): void {
  const { followers = [] } = entry;
  entry.followers = undefined;
  entry.hasReleased = true;
  for (const follower of followers) meet(graph, follower);
}

function meet(graph: WorkGraph, entry: Entry): void {
  entry.unmet -= 1;
  makeReadyIfMet(graph, entry);
}

function makeReadyIfMet(graph: WorkGraph, entry: Entry): void {
  if (entry.unmet === 0 && entry.state === 'held-back') graph.makeReady(entry);
}
