import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type Node, type YAMLMap } from 'yaml';
import { keyName } from './key-name.ts';
import type { SourceRef } from '../model/source.ts';
import type { Problems } from './problems.ts';

interface Walk {
  readonly text: string;
  readonly source: SourceRef;
  readonly problems: Problems;
  /** Anchors met so far. */
  readonly anchors: Set<string>;
  /** Anchors whose node is being walked: an alias to one of them would be a ring. */
  readonly open: Set<string>;
  safe: boolean;
}

/**
 * What YAML allows and a manifest does not: keys twice, keys that are no text, aliases without anchor or in a ring,
 * numbers that JSON has not. False where the document cannot be turned into a value.
 */
export function checkNodes(input: {
  document: Document;
  text: string;
  source: SourceRef;
  problems: Problems;
}): boolean {
  const { text, source, problems } = input;
  const walk: Walk = { text, source, problems, anchors: new Set(), open: new Set(), safe: true };
  visit(input.document.contents, walk);
  return walk.safe;
}

function visit(node: unknown, walk: Walk): void {
  if (!isNode(node)) return;
  if (isAlias(node)) return checkAlias(node, walk);
  const { anchor } = node;
  if (anchor !== undefined) {
    walk.anchors.add(anchor);
    walk.open.add(anchor);
  }
  if (isMap(node)) visitMap(node, walk);
  else if (isSeq(node)) for (const item of node.items) visit(item, walk);
  else if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value)) {
    walk.safe = false;
    add(walk, { code: 'invalid-value', detail: 'Write a number with digits.', node });
  }
  if (anchor !== undefined) walk.open.delete(anchor);
}

function visitMap(map: YAMLMap, walk: Walk): void {
  const lines = new Map<string, Node>();
  for (const { key, value } of map.items) {
    const name = keyName(key);
    if (!isScalar(key) || name === undefined || name === '__proto__') {
      walk.safe = false;
      add(walk, { code: 'invalid-key', detail: 'A key is a word or a text.', node: isNode(key) ? key : map });
      continue;
    }
    const first = lines.get(name);
    if (first) {
      const line = walk.text.slice(0, first.range?.[0]).split('\n').length;
      const detail = `"${name}" stands in line ${line} already, and one of the two would be lost. Remove or rename one.`;
      add(walk, { code: 'duplicate-key', detail, node: key });
    } else lines.set(name, key);
    visit(value, walk);
  }
}

function checkAlias(node: Node & { source: string }, walk: Walk): void {
  const ring = walk.open.has(node.source);
  if (walk.anchors.has(node.source) && !ring) return;
  walk.safe = false;
  const detail = ring
    ? `*${node.source} stands inside the value that it names.`
    : `There is no anchor &${node.source} above.`;
  add(walk, { code: 'yaml-syntax', detail, node });
}

function add(
  { source, problems }: Walk,
  found: {
    code: 'duplicate-key' | 'invalid-key' | 'invalid-value' | 'yaml-syntax';
    detail: string;
    node: Node;
  },
): void {
  const [start, end] = found.node.range ?? [0, 0];
  problems.add({ code: found.code, detail: found.detail, source, range: [start, end] });
}
