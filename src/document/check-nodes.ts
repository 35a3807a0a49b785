import { type Alias, isAlias, isMap, isNode, isScalar, isSeq, type Node } from 'yaml';
import type { SourceRef } from '../model/source.ts';
import { keyName } from './key-name.ts';
import type { SourceFile } from './locate.ts';
import { isMergeKey, mergedMaps } from './merge-keys.ts';
import { DEEPEST, TOO_DEEP } from './nesting.ts';
import type { ProblemCode, Problems } from './problems.ts';

/** The most values that a text may stand for with its aliases resolved: 100,000 items in the longest form are fewer. */
const MOST_VALUES = 5_000_000;

interface Walk {
  readonly file: SourceFile;
  /** Where only a part could be read, an unknown alias may have its anchor in the rest. */
  readonly read: 'everything' | 'a part';
  readonly source: SourceRef;
  readonly problems: Problems;
  /** Nodes with an anchor met so far, and how many values each stands for. */
  readonly anchors: Map<string, { node: Node; values: number }>;
  /** Anchors whose node is being walked: an alias to one of them would be a cycle. */
  readonly open: Set<string>;
  depth: number;
  safe: boolean;
}

/**
 * Finds what YAML allows and a manifest does not: duplicate keys, keys that are no text, aliases without an anchor, in
 * a cycle or too many, nesting that is too deep, numbers that JSON does not have. False where the document cannot be
 * turned into a value.
 */
export function checkNodes(input: Pick<Walk, 'file' | 'read' | 'source' | 'problems'>): boolean {
  const walk: Walk = { ...input, anchors: new Map(), open: new Set(), depth: 0, safe: true };
  visit(input.file.document.contents, walk);
  return walk.safe;
}

function visit(node: unknown, walk: Walk): number {
  if (!isNode(node)) return 1;
  if (isAlias(node)) return visitAlias(node, walk);
  const { anchor } = node;
  if (anchor !== undefined) walk.open.add(anchor);
  walk.depth += 1;
  const values = visitInside(node, walk);
  walk.depth -= 1;
  if (anchor !== undefined) {
    walk.open.delete(anchor);
    walk.anchors.set(anchor, { node, values });
  }
  return values;
}

function visitInside(node: Node, walk: Walk): number {
  if (walk.depth > DEEPEST) {
    if (walk.safe) refuse(walk, { code: 'too-deep', detail: TOO_DEEP, node });
    return 1;
  }
  if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value)) {
    const detail = 'This is not a number that can be used here. Write one with digits.';
    refuse(walk, { code: 'invalid-value', detail, node });
  }
  let values = 1;
  for (const member of isSeq(node) ? node.items : namedMembers(node, walk)) {
    values += visit(member, walk);
    if (values <= MOST_VALUES || !walk.safe || !isNode(member)) continue;
    const detail =
      'Aliases (`*name`) repeat lists of other aliases here, and a few lines become millions of values. Write out what is really needed.';
    refuse(walk, { code: 'too-many-aliases', detail, node: member });
  }
  return values;
}

function* namedMembers(map: Node, walk: Walk): Iterable<unknown> {
  const first = new Map<string, Node>();
  for (const { key, value } of isMap(map) ? map.items : []) {
    const name = keyName(key);
    if (!isScalar(key) || name === undefined || name === '__proto__') {
      const detail = keyProblem(name, key, walk);
      refuse(walk, { code: 'invalid-key', detail, node: isNode(key) ? key : map });
      continue;
    }
    const other = first.get(name);
    if (other) {
      const { line } = walk.file.lines.linePos(other.range?.[0] ?? 0);
      const advice = isMergeKey(key) ? 'Write one list: `<<: [*first, *second]`.' : 'Remove or rename one.';
      const detail = `"${name}" stands in line ${line} already; only one of the two would count. ${advice}`;
      report(walk, { code: 'duplicate-key', detail, node: key });
    } else first.set(name, key);
    yield value;
    // Only now the value's own aliases are known.
    if (isMergeKey(key) && walk.safe && !mergedMaps(value, walk.file.targets))
      refuse(walk, { code: 'wrong-type', detail: NO_MAP_TO_MERGE, node: isNode(value) ? value : key });
  }
}

const NO_MAP_TO_MERGE =
  'A merge key (`<<`) puts the members of other maps into this one. Its value is a map with a name (`<<: *name`), or a list of such.';

function keyProblem(name: string | undefined, key: unknown, { file }: Walk): string {
  if (name !== undefined)
    return `\`${name}\` has a special meaning in JavaScript and cannot be a key. Choose another name.`;
  const [start, end] = isNode(key) ? (key.range ?? [0, 0]) : [0, 0];
  const written = file.text.slice(start, end);
  if (/^\{.*\}$/.test(written)) {
    const inner = written.slice(1, -1).trim();
    return `Braces begin a map here. An expression is written with a dollar sign and in quotes: "\${{ ${inner} }}".`;
  }
  return written.trim() === ''
    ? 'There is no name before this colon. Write one, or remove the line.'
    : 'A key is a name, not a list or a map. Write a name before the colon.';
}

function visitAlias(node: Alias, walk: Walk): number {
  const target = walk.anchors.get(node.source);
  const isCycle = walk.open.has(node.source);
  if (target && !isCycle) {
    walk.file.targets.set(node, target.node);
    return target.values;
  }
  walk.safe = false;
  const detail = isCycle
    ? `\`*${node.source}\` stands inside the value that \`&${node.source}\` names, so it would repeat itself without end. Write that part out.`
    : `A text that begins with \`*\` repeats a value named with \`&\`, and no value above is named \`&${node.source}\`. If this is a text (a glob, for example), put it in quotes: "*${node.source}".`;
  if (isCycle || walk.read === 'everything') report(walk, { code: 'unknown-alias', detail, node });
  return 1;
}

type Found = { code: ProblemCode; detail: string; node: Node };

function refuse(walk: Walk, found: Found): void {
  walk.safe = false;
  report(walk, found);
}

function report({ source, problems }: Walk, { code, detail, node }: Found): void {
  const [start, end] = node.range ?? [0, 0];
  problems.add({ code, detail, source, range: [start, end] });
}
