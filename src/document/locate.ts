import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isSeq,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import type { Locate, SourcePosition, SourceRef } from '../model/source.ts';
import { pointerKeys } from '../util/json-pointer.ts';
import { coverSecrets } from './cover-secrets.ts';
import { keyName } from './key-name.ts';
import type { DocumentProblem } from './problems.ts';
import type { TextLines } from './text-lines.ts';

export interface SourceFile {
  readonly shownAs: string;
  readonly text: string;
  readonly lines: TextLines;
  readonly document: Document;
  /** Members of maps by key, kept because a large plan asks for many places. */
  readonly members: WeakMap<YAMLMap, ReadonlyMap<string, Pair>>;
  /** The node of each alias. */
  readonly targets: WeakMap<Alias, Node>;
  /** Lines that were shown, without their secrets: one line may have many problems. */
  readonly covered: Map<number, string>;
}

/** The files of a manifest by the file part of a SourceRef. */
export type SourceFiles = ReadonlyMap<string, SourceFile>;

type Range = readonly [start: number, end: number];

/** Nothing is computed before somebody asks for a place. */
export function createLocate(files: SourceFiles): Locate {
  return (source) => placeOf({ source }, files)?.position;
}

export function placeOf(
  problem: Pick<DocumentProblem, 'source' | 'part' | 'fragment' | 'range'>,
  files: SourceFiles,
): { position: SourcePosition; sourceLine: string } | undefined {
  if (problem.source === undefined) return undefined;
  const [name, pointer] = splitRef(problem.source);
  const file = files.get(name);
  if (!file) return undefined;
  const range = problem.range ?? narrowed(rangeOf(file, pointer, problem.part), problem.fragment, file.text);
  const position = toPosition(file, range);
  return { position, sourceLine: shownLine(position.line, file) };
}

/** A line without its end; what may be a secret is covered, and columns do not change. */
function shownLine(line: number, { lines, covered }: SourceFile): string {
  const text = covered.get(line) ?? coverSecrets(lines.text(line));
  covered.set(line, text);
  return text;
}

function splitRef(source: SourceRef): [file: string, pointer: string] {
  const hash = source.indexOf('#');
  return [source.slice(0, hash), source.slice(hash + 1)];
}

/** Range of the node that the pointer names, or of its nearest ancestor in the text. */
function rangeOf(file: SourceFile, pointer: string, part: 'key' | undefined): Range {
  const { document, targets } = file;
  let value: Node | null | undefined = document.contents;
  let key: Node | undefined;
  for (const step of pointerKeys(pointer)) {
    const container: Node | null | undefined = isAlias(value) ? targets.get(value) : value;
    const member = memberAt(container, step, file);
    if (!member) return shownRange(value, key);
    ({ key, value } = member);
  }
  return part === 'key' && key ? textRange(key) : shownRange(value, key);
}

function memberAt(
  container: unknown,
  step: string,
  { members }: SourceFile,
): { key?: Node; value: Node | undefined } | undefined {
  if (isMap(container)) {
    const byKey = members.get(container) ?? indexed(container);
    members.set(container, byKey);
    const pair = byKey.get(step);
    if (!pair) return undefined;
    const { key, value } = pair;
    return { ...(isNode(key) ? { key } : {}), value: isNode(value) ? value : undefined };
  }
  const item = isSeq(container) ? container.items[Number(step)] : undefined;
  return isNode(item) ? { value: item } : undefined;
}

/** Of a duplicate key the last one counts, as in the value. */
function indexed(map: YAMLMap): ReadonlyMap<string, Pair> {
  return new Map(map.items.map((pair) => [keyName(pair.key) ?? '', pair]));
}

function shownRange(value: Node | null | undefined, key: Node | undefined): Range {
  const range = value ? textRange(value) : undefined;
  if (key && (isCollection(value) || !range || range[0] === range[1])) return textRange(key);
  if (isMap(value) && !value.flow) {
    const first = value.items[0]?.key;
    if (isNode(first)) return textRange(first);
  }
  return range ?? [0, 0];
}

function textRange(node: Node): Range {
  const [start, end] = node.range ?? [0, 0];
  return [start, end];
}

function narrowed([start, end]: Range, fragment: string | undefined, text: string): Range {
  if (fragment === undefined) return [start, end];
  const found = text.slice(start, end).indexOf(fragment);
  return found < 0 ? [start, end] : [start + found, start + found + fragment.length];
}

function toPosition({ shownAs, text, lines }: SourceFile, [start, end]: Range): SourcePosition {
  const { line, column } = lines.at(start);
  const marked = text.slice(start, Math.min(end, lines.end(line))).trimEnd();
  return { file: shownAs, line, column, ...(marked.length > 0 ? { length: marked.length } : {}) };
}
