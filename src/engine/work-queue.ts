/**
 * The nodes of a run and when each may start. A node is
 * - held back, until all it depends on among these nodes is done, and all it comes after has ended → ready
 * - ready, until `next` hands it out → running
 * - running, until `finish` → ended, or `wait` → waiting
 * - waiting, until its due time has come → ready
 * - ended; a node that did not succeed ends its dependents with it.
 * Nothing here knows limits: `next` asks for every candidate whether it may start.
 */
import type { Address } from '../model/address.ts';
import type { NodeKind } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { NodeEnd } from '../model/run-event.ts';
import { createHeap, type Heap } from '../util/heap.ts';
import { blockedByPlan, type Ended, passedOn } from './ended.ts';
import { longestPaths } from './longest-path.ts';

export interface Work {
  /** Nodes that have not ended. */
  readonly left: number;
  /** The time of the next due node or wake-up. */
  readonly nextDue: number | undefined;
  /** Takes in nodes, dependencies first; returns those that ended at once. */
  add(nodes: readonly PlannedNode[]): readonly Ended[];
  has(address: Address): boolean;
  /** Nodes that depend on this one directly and have not ended. */
  dependents(address: Address): readonly PlannedNode[];
  /** Nodes that come after this one (`PlannedNode.after`) and have not ended. */
  followers(address: Address): readonly PlannedNode[];
  /** Takes this for the node of its address from now on; what it waits for stays. */
  replace(node: PlannedNode): void;
  /** Lets go what comes after a node that has not ended: what they waited to learn is known. */
  release(address: Address): void;
  /** The ready node with the longest path that `admits` lets start; it counts as running from now on. */
  next(admits: (node: PlannedNode) => boolean): PlannedNode | undefined;
  /** Ends a node and, where it was not done, its dependents; returns all that ended. */
  finish(ended: Ended): readonly Ended[];
  /** Puts a running node back until `until`. */
  wait(address: Address, until: number): void;
  /** Makes `nextDue` at most `at`, for something that is not a node. */
  wakeAt(at: number): void;
  /** Makes everything ready that was due by `now`. */
  wakeDue(now: number): void;
  /** Nodes that are neither running nor ended, in plan order. */
  idle(): readonly { readonly node: PlannedNode; readonly ready: boolean }[];
}

interface Entry {
  node: PlannedNode;
  readonly order: number;
  readonly priority: number;
  readonly dependents: Entry[];
  readonly followers: Entry[];
  /** Its followers wait for it. */
  holds: boolean;
  unmet: number;
  state: 'held-back' | 'ready' | 'running' | 'waiting' | NodeEnd;
}

interface Due {
  readonly at: number;
  readonly entry?: Entry;
}

export function createWork(): Work {
  const entries = new Map<Address, Entry>();
  const ready = new Map<NodeKind, Heap<Entry>>();
  const dues = createHeap<Due>((a, b) => a.at < b.at);
  const wakeUps = new Set<number>();
  let left = 0;

  function makeReady(entry: Entry): void {
    entry.state = 'ready';
    const { kind } = entry.node;
    const heap = ready.get(kind) ?? createHeap<Entry>(goesFirst);
    ready.set(kind, heap);
    heap.push(entry);
  }

  /** The first ready entry of a kind; entries that ended while they were ready are dropped on the way. */
  function firstReady(heap: Heap<Entry>): Entry[] {
    let entry = heap.peek();
    while (entry && entry.state !== 'ready') {
      heap.pop();
      entry = heap.peek();
    }
    return entry ? [entry] : [];
  }

  function finish(ended: Ended): readonly Ended[] {
    const root = entries.get(ended.node.address);
    if (!root || !isOpen(root)) return [];
    root.state = ended.end;
    left -= 1;
    letGo(root);
    if (ended.end === 'done') {
      for (const dependent of root.dependents) meet(dependent);
      return [ended];
    }
    const passed = passedOn(ended);
    const all = [ended];
    const reached = [root];
    for (const { dependents } of reached) {
      for (const entry of dependents) {
        if (!isOpen(entry)) continue;
        const { node } = entry;
        const own = node.action === 'blocked' ? blockedByPlan(node) : { node, ...passed };
        entry.state = own.end;
        left -= 1;
        letGo(entry);
        reached.push(entry);
        all.push(own);
      }
    }
    return all;
  }

  /** Once: a node that let others go and ends later must not count twice. */
  function letGo(entry: Entry): void {
    if (!entry.holds) return;
    entry.holds = false;
    for (const follower of entry.followers) meet(follower);
  }

  function meet(entry: Entry): void {
    entry.unmet -= 1;
    if (entry.unmet === 0 && entry.state === 'held-back') makeReady(entry);
  }

  function add(nodes: readonly PlannedNode[]): readonly Ended[] {
    const paths = longestPaths(nodes);
    const added = nodes.map((node): Entry => {
      const place = { order: entries.size, priority: paths.get(node.address) ?? 1 };
      const entry: Entry = {
        node,
        ...place,
        dependents: [],
        followers: [],
        holds: true,
        unmet: 0,
        state: 'held-back',
      };
      entries.set(node.address, entry);
      return entry;
    });
    left += added.length;
    const ended = added.flatMap(link);
    for (const entry of added) {
      if (entry.unmet === 0 && entry.state === 'held-back') makeReady(entry);
    }
    return ended;
  }

  /** Ties an entry to what it waits for; returns what ends at once. */
  function link(entry: Entry): readonly Ended[] {
    const { node } = entry;
    if (node.action === 'blocked') return finish(blockedByPlan(node));
    for (const address of node.dependsOn) {
      const dependency = entries.get(address);
      if (!dependency || dependency.state === 'done') continue;
      if (!isOpen(dependency)) {
        const end = dependency.state as NodeEnd;
        return finish({ node, ...passedOn({ node: dependency.node, end }) });
      }
      dependency.dependents.push(entry);
      entry.unmet += 1;
    }
    for (const address of node.after ?? []) {
      const before = entries.get(address);
      if (!before?.holds) continue;
      before.followers.push(entry);
      entry.unmet += 1;
    }
    return [];
  }

  return {
    get left() {
      return left;
    },
    get nextDue() {
      return dues.peek()?.at;
    },
    add,
    has: (address) => entries.has(address),
    dependents: (address) => (entries.get(address)?.dependents ?? []).filter(isOpen).map(({ node }) => node),
    followers: (address) => (entries.get(address)?.followers ?? []).filter(isOpen).map(({ node }) => node),
    replace(node) {
      const entry = entries.get(node.address);
      if (entry) entry.node = node;
    },
    release(address) {
      const entry = entries.get(address);
      if (entry) letGo(entry);
    },
    next(admits) {
      const candidates = [...ready.values()].flatMap(firstReady);
      candidates.sort((a, b) => (goesFirst(a, b) ? -1 : 1));
      const entry = candidates.find(({ node }) => admits(node));
      if (!entry) return undefined;
      entry.state = 'running';
      ready.get(entry.node.kind)?.pop();
      return entry.node;
    },
    finish,
    wait(address, until) {
      const entry = entries.get(address);
      if (!entry) return;
      entry.state = 'waiting';
      dues.push({ at: until, entry });
    },
    wakeAt(at) {
      if (wakeUps.has(at)) return;
      wakeUps.add(at);
      dues.push({ at });
    },
    wakeDue(now) {
      for (let due = dues.peek(); due && due.at <= now; due = dues.peek()) {
        dues.pop();
        wakeUps.delete(due.at);
        if (due.entry?.state === 'waiting') makeReady(due.entry);
      }
    },
    idle: () =>
      [...entries.values()]
        .filter((entry) => isOpen(entry) && entry.state !== 'running')
        .map(({ node, unmet }) => ({ node, ready: unmet === 0 })),
  };
}

function goesFirst(a: Entry, b: Entry): boolean {
  return a.priority === b.priority ? a.order < b.order : a.priority > b.priority;
}

function isOpen({ state }: Entry): boolean {
  return state === 'held-back' || state === 'ready' || state === 'running' || state === 'waiting';
}
