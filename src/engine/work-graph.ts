/**
 * The nodes of a run and what each waits for. A node is
 * - blocked, until all nodes that it depends on are done, and all nodes that it comes after have ended → ready
 * - ready, until it is handed out → running
 * - running, until it is finished → ended, or put back → waiting
 * - waiting, until its due time has come → ready
 * - ended; a node that did not succeed ends its dependents with it.
 */
import type { Address } from '../model/address.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { NodeEnd } from '../model/run-event.ts';
import { blockedByPlan, type Ended, passedOn } from './ended.ts';
import { longestPaths } from './longest-path.ts';

export interface Entry {
  readonly node: PlannedNode;
  readonly order: number;
  readonly priority: number;
  readonly dependents: Entry[];
  /** The nodes that come after it, until they are released. */
  followers: Entry[] | undefined;
  unmet: number;
  state: 'held-back' | 'ready' | 'running' | 'waiting' | NodeEnd;
}

export interface WorkGraph {
  readonly entries: Map<Address, Entry>;
  readonly makeReady: (entry: Entry) => void;
  left: number;
}

/** Adds nodes, dependencies first; returns those that ended at once. */
export function addNodes(graph: WorkGraph, nodes: readonly PlannedNode[]): readonly Ended[] {
  const { entries } = graph;
  const paths = longestPaths(nodes);
  const added = nodes.map((node): Entry => {
    const entry: Entry = {
      node,
      order: entries.size,
      priority: paths.get(node.address) ?? 1,
      dependents: [],
      followers: [],
      unmet: 0,
      state: 'held-back',
    };
    entries.set(node.address, entry);
    return entry;
  });
  graph.left += added.length;
  const ended = added.flatMap((entry) => link(graph, entry));
  for (const entry of added) makeReadyIfMet(graph, entry);
  return ended;
}

/** Links an entry to what it waits for; returns what ends at once. */
function link(graph: WorkGraph, entry: Entry): readonly Ended[] {
  const { entries } = graph;
  const { node } = entry;
  if (node.action === 'blocked') return finishNode(graph, blockedByPlan(node));
  for (const address of node.dependsOn) {
    const dependency = entries.get(address);
    if (!dependency || dependency.state === 'done') continue;
    if (!isOpen(dependency)) {
      const end = dependency.state as NodeEnd;
      return finishNode(graph, { node, ...passedOn({ node: dependency.node, end }) });
    }
    dependency.dependents.push(entry);
    entry.unmet += 1;
  }
  for (const address of node.after ?? []) {
    const followers = entries.get(address)?.followers;
    if (!followers) continue;
    followers.push(entry);
    entry.unmet += 1;
  }
  return [];
}

/** Ends a node and, if it was not done, its dependents; returns all that ended. */
export function finishNode(graph: WorkGraph, ended: Ended): readonly Ended[] {
  const root = graph.entries.get(ended.node.address);
  if (!root || !isOpen(root)) return [];
  end(graph, root, ended);
  if (ended.end === 'done') {
    for (const dependent of root.dependents) meet(graph, dependent);
    return [ended];
  }
  const passed = passedOn(ended);
  const all = [ended];
  const reached = [root];
  for (const { dependents } of reached) {
    for (const entry of dependents.filter(isOpen)) {
      const { node } = entry;
      const own = node.action === 'blocked' ? blockedByPlan(node) : { node, ...passed };
      end(graph, entry, own);
      reached.push(entry);
      all.push(own);
    }
  }
  return all;
}

function end(graph: WorkGraph, entry: Entry, ended: Ended): void {
  entry.state = ended.end;
  graph.left -= 1;
  letGo(graph, entry);
}

/** Only once, because a node that released others and ends later must not count twice. */
export function letGo(graph: WorkGraph, entry: Entry): void {
  const { followers = [] } = entry;
  entry.followers = undefined;
  for (const follower of followers) meet(graph, follower);
}

function meet(graph: WorkGraph, entry: Entry): void {
  entry.unmet -= 1;
  makeReadyIfMet(graph, entry);
}

function makeReadyIfMet(graph: WorkGraph, entry: Entry): void {
  if (entry.unmet === 0 && entry.state === 'held-back') graph.makeReady(entry);
}

export function isOpen({ state }: Entry): boolean {
  return state === 'held-back' || state === 'ready' || state === 'running' || state === 'waiting';
}
