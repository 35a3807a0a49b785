/** Plays plans without a service: every node ends at once, as told, and the state is folded from the events. */
import { splitTake } from '../../src/model/address.ts';
import { isCreate, kindHas } from '../../src/model/kinds.ts';
import type { Graph } from '../../src/model/graph.ts';
import { fileNames } from '../../src/model/output-path.ts';
import type { OutputFile } from '../../src/model/payload.ts';
import {
  type Deletion,
  isDeletion,
  type Plan,
  type PlannedAs,
  type PlannedNode,
} from '../../src/model/plan.ts';
import type { RunState } from '../../src/model/run-state.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { draftPlan, type PlanDraft } from '../../src/plan/draft-plan.ts';
import { makePlan } from '../../src/plan/make-plan.ts';
import { EXIT } from '../../src/model/exit.ts';
import { lettingGoEvents, namedAgainEvents } from '../../src/plan/left-alone.ts';
import { moveEvents } from '../../src/match/moves.ts';
import { withEvents } from '../../src/log/with-events.ts';
import { emptyState, fold } from '../../src/log/fold.ts';
import type { FoldState } from '../../src/log/fold-state.ts';
import { type CampaignWords, graphOf, OUTPUTS } from './campaign.ts';

/** How a node ends other than by success. `open`: it has not ended yet; `seen`: nor has it, but it was answered for. */
export type End = 'open' | 'seen' | 'failed' | 'lost' | 'rejected' | 'unknown' | 'interrupted' | 'not-sent';

export interface Ends {
  readonly [address: string]: End;
}

export const AT = '2026-01-01T00:00:00.000Z';
/** Long after: what failed is not looked for any more. */
const NOW = Date.parse('2026-03-01T00:00:00.000Z');
export const PROBLEM = { summary: 'Said no', detail: 'The service said no.' };
export const EVIDENCE = { summary: 'No answer', request: 'POST /products/' };

export type PlanOptions = Parameters<typeof makePlan>[0];

/** A plan of these words over a state; outputs are written, replacements made, unless said otherwise. */
export function planOf(words: CampaignWords, state: RunState, options: Partial<PlanOptions> = {}): Plan {
  return planGraph(graphOf(words), state, options);
}

/** A draft of that plan. */
export function draftOf(words: CampaignWords, state: RunState): PlanDraft {
  return draftPlan({ graph: graphOf(words), state, outputs: OUTPUTS, now: NOW });
}

export function planGraph(graph: Graph, state: RunState, options: Partial<PlanOptions> = {}): Plan {
  return makePlan({ graph, state, outputs: OUTPUTS, replacements: 'make', now: NOW, ...options });
}

/** The state after a plan: `ends` says which nodes did not succeed; what depends on those is not tried. */
export function applied(plan: Plan, before: FoldState = emptyState(), ends: Ends = {}): FoldState {
  const state = structuredClone(before);
  for (const event of eventsOf(plan, before, ends)) fold(state, event);
  return state;
}

/** All nodes, without the means to make some of them again. */
export function listed({ nodes }: Plan): PlannedNode[] {
  return [...nodes].map((node) => ('takes' in node ? { ...node, takes: undefined } : node));
}

export function plain(plan: Plan) {
  return { ...plan, nodes: listed(plan) };
}

/** The state after the words were applied, with everything done but what `ends` says. */
export function stateAfter(words: CampaignWords, ends: Ends = {}, before: FoldState = emptyState()) {
  return applied(planOf(words, before), before, ends);
}

/** The state after further events. */
export function after(before: FoldState, ...events: readonly StateEvent[]): FoldState {
  const state = structuredClone(before);
  for (const event of events) fold(state, event);
  return state;
}

export function eventsOf(plan: Plan, before: RunState, ends: Ends): StateEvent[] {
  const moved = [...moveEvents(plan.moves, AT), ...namedAgainEvents(plan, AT)];
  const notDone = new Set<string>();
  const ran = plan.nodes.flatMap((node) => {
    if (node.action === 'blocked' || node.dependsOn.some((address) => notDone.has(address))) {
      notDone.add(node.address);
      return [];
    }
    const end = ends[node.address];
    if (end) notDone.add(node.address);
    return nodeEvents(node, end);
  });
  return [
    ...moved,
    ...fileMoveEvents(plan, withEvents(before, moved)),
    ...ran,
    ...lettingGoEvents(plan, EXIT.ok, AT),
  ];
}

/** In two steps, as files are renamed: what gets a name that another file still has gets one in between first. */
function fileMoveEvents(plan: Plan, before: RunState): StateEvent[] {
  const leaving = new Set(plan.fileMoves.map(({ from }) => from));
  const between = (path: string) => path.replace(/(\.\w+)$/, '.moving$1');
  const first = plan.fileMoves.map((move) => ({
    ...move,
    to: leaving.has(move.to) ? between(move.to) : move.to,
  }));
  const second = plan.fileMoves
    .filter(({ to }) => leaving.has(to))
    .map((move) => ({ ...move, from: between(move.to) }));
  const done = movedFiles(first, before);
  return [...done, ...movedFiles(second, withEvents(before, done))];
}

function movedFiles(moves: Plan['fileMoves'], { media }: RunState): StateEvent[] {
  // Two takes may have a name in common, until the older one gets another.
  const targets = new Map(moves.map(({ address, from, to }) => [`${address} ${from}`, to]));
  return [...new Set(moves.map(({ address }) => address))].map((address) => {
    const { address: item, take } = splitTake(address.replace(/^download/, 'media'));
    const files = media.get(item)?.takes.find(({ n }) => n === take)?.files ?? [];
    const renamed = files.map((file) => ({
      ...file,
      path: targets.get(`${address} ${file.path}`) ?? file.path,
    }));
    return { type: 'downloaded', at: AT, address, result: { media: item, files: renamed } };
  });
}

function nodeEvents(node: PlannedNode, end: End | undefined): StateEvent[] {
  if (isDeletion(node)) return deletionEvents(node, end);
  if (kindHas(node, 'stored', 'object')) return objectEvents(node, end);
  if (kindHas(node, 'stored', 'request')) return requestEvents(node, end);
  return kindHas(node, 'stored', 'files') ? downloadEvents(node, end) : mediaEnd(node.address, end);
}

function objectEvents(node: PlannedAs<'object'>, end: End | undefined): StateEvent[] {
  const { address, inputs, fingerprint } = node;
  const meant = { at: AT, address, inputs, fingerprint };
  const name = node.kind === 'product' && node.payload.recordName ? { name: node.payload.name } : {};
  const result = { id: `id of ${address}`, ...name };
  if (isCreate(node)) {
    return [{ ...meant, type: 'intent', attempt: 1 }, ...createEnd(address, end, result)];
  }
  if (end) return [{ type: 'failed', at: AT, address, problem: PROBLEM }];
  return kindHas(node, 'creates', 'link')
    ? [{ ...meant, type: 'uploaded', result: { url: `https://files/${address}` } }]
    : [{ ...meant, type: 'updated', result }];
}

function requestEvents({ address, payload }: PlannedAs<'request'>, end: End | undefined): StateEvent[] {
  const { items, numberOfPosts, nextItem } = payload;
  const surplus = Array.from({ length: numberOfPosts - items.length }, (_, index) => `${nextItem + index}`);
  const made = [...items.map(({ item }) => item), ...surplus].map((name) => [
    name,
    { id: name, post_type: 'image' },
  ]);
  const result = { id: `id of ${address}`, concept: 'c', items: Object.fromEntries(made), surplus };
  const meant = { inputs: {}, fingerprint: '' };
  return [
    { type: 'intent', at: AT, address, attempt: 1, ...meant, request: payload },
    ...createEnd(address, end, result),
  ];
}

function deletionEvents({ address }: Deletion, end: End | undefined): StateEvent[] {
  const begun: StateEvent = { type: 'deleting', at: AT, address };
  if (end === 'interrupted') return [begun];
  if (end) return [begun, { type: 'not-deleted', at: AT, address, problem: PROBLEM }];
  return [begun, { type: 'deleted', at: AT, address }];
}

function downloadEvents({ address, payload }: PlannedAs<'files'>, end: End | undefined): StateEvent[] {
  if (end) return [{ type: 'failed', at: AT, address, problem: PROBLEM }];
  const files = fileNames(payload.path, [outputFile('.png')]).map(outputFile);
  const renamed = payload.older.map((take) => ({ take: take.take, files: renamedFiles(take) }));
  return [{ type: 'downloaded', at: AT, address, result: { media: address, files, renamed } }];
}

type Created = Extract<StateEvent, { type: 'created' }>['result'];

function createEnd(address: string, end: End | undefined, result: Created): StateEvent[] {
  const of = { at: AT, address };
  switch (end) {
    case undefined:
      return [{ ...of, type: 'created', result }];
    case 'rejected':
    case 'not-sent':
      return [{ ...of, type: end, problem: PROBLEM }];
    case 'unknown':
      return [{ ...of, type: 'unknown', evidence: EVIDENCE }];
    case 'interrupted':
      return [];
    case 'open':
    case 'seen':
    case 'failed':
    case 'lost':
      throw new Error(`a create does not end so: ${end}`);
  }
}

function mediaEnd(address: string, end: End | undefined): StateEvent[] {
  const of = { at: AT, address };
  switch (end) {
    case undefined:
      return [{ ...of, type: 'generated', result: { id: `id of ${address}`, urls: ['https://files/1'] } }];
    case 'open':
      return [];
    case 'seen':
      return [{ ...of, type: 'seen' }];
    case 'failed':
      return [{ ...of, type: 'generation-failed', problem: PROBLEM }];
    case 'lost':
      return [{ ...of, type: 'lost', problem: PROBLEM }];
    case 'rejected':
    case 'not-sent':
    case 'unknown':
    case 'interrupted':
      throw new Error(`a medium does not end so: ${end}`);
  }
}

function renamedFiles({ path, files }: { path: string; files: readonly OutputFile[] }) {
  const names = fileNames(path, files);
  return files.map((file, index) => ({ ...file, path: names[index] ?? file.path }));
}

function outputFile(path: string): OutputFile {
  return { path, sha256: 'f', bytes: 1, contentType: 'image/png' };
}

const SYMBOLS = {
  create: '+',
  update: '~',
  replace: '-/+',
  delete: '-',
  move: '>',
  resume: '…',
  blocked: '!',
};

/** What a plan does, a line each; downloads are left out, uploads go by their file. */
export function outline({ nodes, moves }: Plan): string[] {
  return [
    ...moves.map(({ from, to }) => `> ${from} → ${to}`),
    ...nodes
      .filter(({ kind }) => kind !== 'download')
      .map((node) => {
        const name = node.kind === 'upload' ? `upload ${node.payload.file}` : node.address;
        return `${SYMBOLS[node.action]} ${name}`;
      }),
  ];
}

/** The downloads of a plan: action, address and path. */
export function downloads({ nodes }: Plan): string[] {
  return nodes.flatMap((node) =>
    node.kind === 'download' ? [`${SYMBOLS[node.action]} ${node.address} ${node.payload.path}`] : [],
  );
}
