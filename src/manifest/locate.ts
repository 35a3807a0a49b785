import { isAlias, isCollection, isMap, isNode, isSeq, type Document, type Node } from 'yaml';
import type { Locate, SourcePosition, SourceRef } from '../model/source.ts';
import { keyName } from './key-name.ts';
import type { Problem } from './problems.ts';

/** One parsed file, kept for the places of problems. */
export interface SourceFile {
  /** As messages call it. */
  readonly shownAs: string;
  readonly text: string;
  readonly document: Document;
}

/** The files of a manifest by the file part of a SourceRef. */
export type SourceFiles = ReadonlyMap<string, SourceFile>;

type Range = readonly [start: number, end: number];

/** Finds places in these files; nothing is computed before someone asks. */
export function createLocate(files: SourceFiles): Locate {
  return (source) => positionOf({ source }, files);
}

/** The place that a problem names. */
export function positionOf(
  problem: Pick<Problem, 'source' | 'part' | 'fragment' | 'range'>,
  files: SourceFiles,
): SourcePosition | undefined {
  if (problem.source === undefined) return undefined;
  const [name, pointer] = splitRef(problem.source);
  const file = files.get(name);
  if (!file) return undefined;
  const range =
    problem.range ?? narrowed(rangeOf(file.document, pointer, problem.part), problem.fragment, file.text);
  return toPosition(file, range);
}

/** The line of a position without its end; whatever may be a secret is covered, every column stays. */
export function sourceLineAt(position: SourcePosition, files: SourceFiles): string | undefined {
  const file = [...files.values()].find(({ shownAs }) => shownAs === position.file);
  return file?.text
    .split('\n', position.line)
    .at(position.line - 1)
    ?.replace(/\r$/, '')
    .replace(
      /(\bapi[_-]?key\w*["']?\s*:\s*)(.+)$/i,
      (_, before: string, secret: string) => before + covered(secret),
    )
    .replace(/(:\/\/)([^/\s@]+)(?=@)/g, (_, before: string, secret: string) => before + covered(secret));
}

function covered(secret: string): string {
  return '*'.repeat(secret.length);
}

function splitRef(source: SourceRef): [file: string, pointer: string] {
  const hash = source.indexOf('#');
  return [source.slice(0, hash), source.slice(hash + 1)];
}

/** Range of the thing that the pointer names, or of its nearest written ancestor. */
function rangeOf(document: Document, pointer: string, part: 'key' | undefined): Range {
  let value: Node | null | undefined = document.contents;
  let key: Node | undefined;
  for (const step of stepsOf(pointer)) {
    const container: Node | null | undefined = isAlias(value) ? value.resolve(document) : value;
    const member = memberAt(container, step);
    if (!member) return shownRange(value, key);
    ({ key, value } = member);
  }
  return part === 'key' && key ? textRange(key) : shownRange(value, key);
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function memberAt(container: unknown, step: string): { key?: Node; value: Node | undefined } | undefined {
  if (isMap(container)) {
    const pair = container.items.findLast(({ key }) => keyName(key) === step);
    if (!pair) return undefined;
    return {
      ...(isNode(pair.key) ? { key: pair.key } : {}),
      value: isNode(pair.value) ? pair.value : undefined,
    };
  }
  const item = isSeq(container) ? container.items[Number(step)] : undefined;
  return isNode(item) ? { value: item } : undefined;
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

function toPosition({ shownAs, text }: SourceFile, [start, end]: Range): SourcePosition {
  const before = text.slice(0, start).split('\n');
  const [firstLine = ''] = text.slice(start, end).split('\n', 1);
  const length = firstLine.trimEnd().length;
  return {
    file: shownAs,
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
    ...(length > 0 ? { length } : {}),
  };
}
