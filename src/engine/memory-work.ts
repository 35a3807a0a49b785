import type { Address } from '../model/address.ts';
import { KINDS, type NodeKind } from '../model/kinds.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Clock } from '../util/clock.ts';
import { createPriorityQueue, type PriorityQueue } from '../util/priority-queue.ts';
import { addNodes, bringIn, type Entry, finishNode, letGo, type WorkGraph } from './work-graph.ts';
import type { WorkSource } from './work-source.ts';

interface Queue extends WorkGraph {
  readonly clock: Clock;
  /** By kind, because limits apply to whole kinds. */
  readonly ready: Map<NodeKind, PriorityQueue<Entry>>;
  readonly dues: PriorityQueue<{ readonly at: number; readonly entry: Entry }>;
  /** Requests that are done and whose posts have not come in yet. */
  readonly requested: PriorityQueue<Entry>;
}

export function createMemoryWork(nodes: readonly PlannedNode[], clock: Clock): WorkSource {
  const queue: Queue = {
    clock,
    entries: new Map(),
    left: 0,
    size: 0,
    ready: new Map(),
    dues: createPriorityQueue((a, b) => a.at < b.at),
    requested: createPriorityQueue((a, b) => a.order < b.order),
    makeReady: (entry) => makeReady(queue, entry),
    bringInLater: (request) => queue.requested.push(request),
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
    async dependents(address) {
      const { takes, dependents = [] } = entryOf(address) ?? {};
      return takes?.() ?? dependents.filter(({ end }) => !end).map(({ node }) => node);
    },
    async idle() {
      for (const entry of queue.entries.values()) bringIn(queue, entry);
      return [...queue.entries.values()]
        .filter(({ state }) => state !== 'ended' && state !== 'running')
        .sort((a, b) => a.order - b.order)
        .map(({ node, unmet }) => ({ node, ready: unmet === 0 }));
    },
  };
}

function claim(queue: Queue, admit: (node: PlannedNode) => number): Awaited<ReturnType<WorkSource['claim']>> {
  const { clock, ready, dues } = queue;
  wakeDue(queue);
  bringInNext(queue);
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
  if (due) ms = Math.min(ms, due.at - clock.monotonic());
  return { type: 'none', left: queue.left, ms };
}

function wakeDue(queue: Queue): void {
  const { dues, clock } = queue;
  const now = clock.monotonic();
  for (let due = dues.peek(); due && due.at <= now; due = dues.peek()) {
    dues.pop();
    if (due.entry.state === 'waiting') makeReady(queue, due.entry);
  }
}

/** Brings in the posts of requests that come before all polls that are ready. */
function bringInNext(queue: Queue): void {
  const { requested } = queue;
  for (let request = requested.peek(); request; request = requested.peek()) {
    if (request.order > nextPoll(queue)) return;
    requested.pop();
    bringIn(queue, request);
  }
}

function nextPoll({ ready }: Queue): number {
  const polls = [...ready].filter(([kind]) => KINDS[kind].stored === 'take');
  return polls.flatMap(([, sorted]) => firstReady(sorted))[0]?.order ?? Number.POSITIVE_INFINITY;
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
