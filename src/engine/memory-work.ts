import type { Address } from '../model/address.ts';
import type { NodeKind } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Clock } from '../util/clock.ts';
import { createPriorityQueue, type PriorityQueue } from '../util/priority-queue.ts';
import { addNodes, type Entry, finishNode, letGo, type WorkGraph } from './work-graph.ts';
import type { WorkSource } from './work-source.ts';

interface Queue extends WorkGraph {
  readonly clock: Clock;
  /** By kind, because limits apply to whole kinds. */
  readonly ready: Map<NodeKind, PriorityQueue<Entry>>;
  readonly dues: PriorityQueue<{ readonly at: number; readonly entry: Entry }>;
}

export function createMemoryWork(nodes: readonly PlannedNode[], clock: Clock): WorkSource {
  const queue: Queue = {
    clock,
    entries: new Map(),
    left: 0,
    size: 0,
    ready: new Map(),
    dues: createPriorityQueue((a, b) => a.at < b.at),
    makeReady: (entry) => makeReady(queue, entry),
  };
  const entryOf = (address: Address) => queue.entries.get(address);
  return {
    open: async () => ({ nodes, ended: addNodes(queue, nodes) }),
    claim: async (admit) => claim(queue, admit),
    finish: async (ended, adds = []) => [...finishNode(queue, ended), ...addNodes(queue, adds)],
    async wait(address, ms, adds = []) {
      const entry = entryOf(address);
      if (entry) {
        entry.state = 'waiting';
        queue.dues.push({ at: clock.monotonic() + ms, entry });
      }
      return addNodes(queue, adds);
    },
    async release(address) {
      const entry = entryOf(address);
      if (entry) letGo(queue, entry);
    },
    dependents: async (address) =>
      (entryOf(address)?.dependents ?? []).filter(({ end }) => !end).map(({ node }) => node),
    idle: async () =>
      [...queue.entries.values()]
        .filter(({ state }) => state !== 'ended' && state !== 'running')
        .map(({ node, unmet }) => ({ node, ready: unmet === 0 })),
  };
}

function claim(queue: Queue, admit: (node: PlannedNode) => number): Awaited<ReturnType<WorkSource['claim']>> {
  const { clock, ready, dues, left } = queue;
  wakeDue(queue);
  const candidates = [...ready.values()].flatMap(firstReady);
  candidates.sort((a, b) => (goesFirst(a, b) ? -1 : 1));
  let ms = Number.POSITIVE_INFINITY;
  for (const entry of candidates) {
    const { node } = entry;
    const startsIn = admit(node);
    if (startsIn <= 0) {
      entry.state = 'running';
      ready.get(node.kind)?.pop();
      return { type: 'node', node };
    }
    ms = Math.min(ms, startsIn);
  }
  const due = dues.peek();
  return { type: 'none', left, ms: due ? Math.min(ms, due.at - clock.monotonic()) : ms };
}

function wakeDue(queue: Queue): void {
  const { dues, clock } = queue;
  const now = clock.monotonic();
  for (let due = dues.peek(); due && due.at <= now; due = dues.peek()) {
    dues.pop();
    if (due.entry.state === 'waiting') makeReady(queue, due.entry);
  }
}

function makeReady({ ready }: Queue, entry: Entry): void {
  entry.state = 'ready';
  const { kind } = entry.node;
  const sorted = ready.get(kind) ?? createPriorityQueue<Entry>(goesFirst);
  ready.set(kind, sorted);
  sorted.push(entry);
}

/** The first ready entry of a kind; entries that ended while they were ready are removed. */
function firstReady(sorted: PriorityQueue<Entry>): Entry[] {
  let entry = sorted.peek();
  while (entry && entry.state !== 'ready') {
    sorted.pop();
    entry = sorted.peek();
  }
  return entry ? [entry] : [];
}

function goesFirst(a: Entry, b: Entry): boolean {
  return a.priority === b.priority ? a.order < b.order : a.priority > b.priority;
}
