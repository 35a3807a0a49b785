import type { Address } from '../model/address.ts';
import { KINDS, type NodeKind } from '../model/kinds.ts';
import { count } from '../util/count.ts';
import { groupBy } from '../util/group-by.ts';
import type { DrawnEdge, DrawnGraph, DrawnNode } from './draw-graph.ts';
import { GRAPH_STATUSES, type GraphStatus } from './graph-status.ts';

/** What people still read on one screen. Above that, nodes are drawn together. */
const MOST_BOXES = 60;
const MOST_ARROWS = 240;

/** One node, or all nodes of a group. */
export interface Box {
  /** The address of a node; of a group a name that no address has. */
  readonly id: string;
  readonly kind: NodeKind;
  readonly title: string;
  readonly lines: readonly string[];
  /** The most urgent first; empty where nothing is known. */
  readonly statuses: readonly StatusCount[];
  readonly isGroup: boolean;
}

export interface StatusCount {
  readonly status: GraphStatus;
  readonly count: number;
  /** Where it counts something else than its box does. */
  readonly noun?: string;
}

export interface Picture {
  readonly boxes: readonly Box[];
  readonly arrows: readonly DrawnEdge[];
  /** What is drawn together: `40 posts by post plan`. */
  readonly together: readonly string[];
}

/** Nodes that may be drawn together. */
type Part = 'photo' | 'post' | NodeKind;

/** `some`: posts by post plan, photos by what they belong to; `all`: as one box. */
type Grouping = ReadonlyMap<Part, 'some' | 'all'>;

/** Posts are drawn by post plan first, then together whatever has the most boxes, until the picture fits. */
export function collapseGraph(graph: DrawnGraph, wish: 'fit' | 'all'): Picture {
  let grouping: Grouping = new Map();
  for (;;) {
    const groups: Groups = groupBy(graph.nodes, grouper(graph, grouping));
    const next = wish === 'fit' ? nextGrouping(groups, grouping) : undefined;
    // Pictures that are too large anyway are not drawn.
    if (!next || groups.size <= MOST_BOXES) {
      const picture = drawGroups(graph, groups);
      if (!next || picture.arrows.length <= MOST_ARROWS) return picture;
    }
    grouping = next;
  }
}

/** Nodes by the id of their box. */
type Groups = ReadonlyMap<string, readonly DrawnNode[]>;

function partOf({ kind }: { readonly kind: NodeKind }): Part {
  if (KINDS[kind].stored !== 'object') return 'post';
  return KINDS[kind].creates === 'link' ? 'photo' : kind;
}

/** Undefined where each part is one box. */
function nextGrouping(groups: Groups, grouping: Grouping): Grouping | undefined {
  const counts = new Map<Part, number>();
  for (const [first] of groups.values())
    if (first) counts.set(partOf(first), (counts.get(partOf(first)) ?? 0) + 1);
  if (counts.has('post') && !grouping.has('post')) return new Map(grouping).set('post', 'some');
  const several = [...counts].filter(([, boxes]) => boxes > 1);
  const [most] = several.sort(([, one], [, other]) => other - one);
  if (!most) return undefined;
  const [part] = most;
  return new Map(grouping).set(part, part === 'photo' && !grouping.has(part) ? 'some' : 'all');
}

function drawGroups(graph: DrawnGraph, groups: Groups): Picture {
  const boxOf = new Map<Address, string>();
  const boxes = [...groups].map(([id, nodes]) => {
    const box = drawBox(id, nodes);
    for (const { address } of nodes) boxOf.set(address, box.id);
    return box;
  });
  const arrows = new Map<string, DrawnEdge>();
  for (const edge of graph.edges) {
    const [from = edge.from, to = edge.to] = [boxOf.get(edge.from), boxOf.get(edge.to)];
    if (from !== to) arrows.set(`${from} ${to}`, { from, to });
  }
  return { boxes, arrows: [...arrows.values()], together: togetherWords(groups.values()) };
}

/** The id of the group that a node is in. */
function grouper({ edges }: DrawnGraph, grouping: Grouping): (node: DrawnNode) => string {
  const usersOf = grouping.get('photo') === 'some' ? groupBy(edges, ({ from }) => from) : undefined;
  const numbers = new Map<string, number>();
  return (node) => {
    const part = partOf(node);
    const how = grouping.get(part);
    if (how === undefined) return node.address;
    if (how === 'all') return `${part}s`;
    if (part === 'post') return `posts/${node.post_plan}`;
    const users = (usersOf?.get(node.address) ?? []).map(({ to }) => to).join();
    const number = numbers.get(users) ?? numbers.size + 1;
    numbers.set(users, number);
    return `photos/${number}`;
  };
}

function drawBox(id: string, nodes: readonly DrawnNode[]): Box {
  const [first] = nodes;
  if (!first) throw new Error(`a box without a node: ${id}`);
  const { address, kind, label, about, post_plan: plan, status } = first;
  if (nodes.length === 1) {
    const statuses = status === undefined ? [] : [{ status, count: 1 }];
    return { id: address, kind, title: label, lines: about, statuses, isGroup: false };
  }
  const group = { id, kind, statuses: countStatuses(nodes), isGroup: true };
  if (partOf(first) !== 'post')
    return { ...group, title: count(nodes.length, partOf(first)), lines: [some(nodes.map((n) => n.label))] };
  const posts = nodes.filter(isPost);
  const plans = new Set(nodes.map((node) => node.post_plan));
  const title = plans.size === 1 ? (plan ?? '') : count(plans.size, 'post plan');
  return { ...group, title, lines: [count(posts.length, 'post'), ...formatLines(posts)] };
}

/** `image 1:1, 4:5`: a line for each type of posts. */
function formatLines(posts: readonly DrawnNode[]): string[] {
  const formats = [...new Set(posts.map((post) => post.about[0] ?? ''))].map((format) => format.split(' '));
  const byType = groupBy(formats, ([type = '']) => type);
  return [...byType].map(([type, ratios]) => `${type} ${some(ratios.map(([, ratio = '']) => ratio))}`);
}

const MOST_NAMES = 4;

function some(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function isPost({ kind }: DrawnNode): boolean {
  return KINDS[kind].stored === 'take';
}

/** Requests count only where they were refused: else they are as their posts are. */
function countStatuses(nodes: readonly DrawnNode[]): StatusCount[] {
  const isRequest = ({ kind }: DrawnNode) => KINDS[kind].stored === 'request';
  const counted = nodes.filter((node) => !isRequest(node));
  const refused = nodes.filter((node) => isRequest(node) && node.status === 'failed').length;
  const byStatus = groupBy(counted, ({ status }) => status ?? '');
  const counts = GRAPH_STATUSES.map((status) => ({ status, count: byStatus.get(status)?.length ?? 0 }));
  return [
    ...(refused ? [{ status: 'failed' as const, count: refused, noun: 'request' }] : []),
    ...counts.filter(({ count: number }) => number > 0),
  ];
}

function togetherWords(groups: Iterable<readonly DrawnNode[]>): string[] {
  const sums = new Map<Part, { nodes: number; plans: Set<string | undefined> }>();
  for (const nodes of groups) {
    const [first] = nodes;
    if (!first || nodes.length === 1) continue;
    const part = partOf(first);
    const sum = sums.get(part) ?? { nodes: 0, plans: new Set() };
    sum.nodes += part === 'post' ? nodes.filter(isPost).length : nodes.length;
    for (const node of nodes) sum.plans.add(node.post_plan);
    sums.set(part, sum);
  }
  return [...sums].map(([part, { nodes, plans }]) => {
    const of = part === 'post' ? ` of ${count(plans.size, 'post plan')}` : '';
    return `${count(nodes, part)}${of}`;
  });
}
