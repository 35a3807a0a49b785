import { isAlias, isCollection, isMap, isNode, isSeq, LineCounter } from 'yaml';
import type { Alias, Document, Node, Pair, YAMLMap } from 'yaml';
import type { Problem } from '../model/problem.ts';
import type { SourcePosition, SourceRef } from '../model/source.ts';
import { pointerKeys } from '../util/json-pointer.ts';
import { coverSecrets } from './cover-secrets.ts';
import { membersByName } from './merge-keys.ts';
import type { DocumentProblem } from './problems.ts';

/** A text file whose values have pointers. */
export interface TextFile {
  readonly shownAs: string;
  readonly text: string;
  readonly lines: LineCounter;
  /** Lines that were shown, without their secrets: one line may have many problems. */
  readonly covered: Map<number, string>;
}

/** Finds places by itself, as a table does. */
export interface PlacedFile extends TextFile {
  readonly rangeOf: (pointer: string) => Range;
}

/** A YAML file. */
export interface SourceFile extends TextFile {
  readonly document: Document;
  /** Members of maps by key, kept because a large plan asks for many places. */
  readonly members: WeakMap<YAMLMap, ReadonlyMap<string, Pair>>;
  /** The node of each alias. */
  readonly targets: WeakMap<Alias, Node>;
}

/** The files of a manifest by the file part of a SourceRef. */
export type SourceFiles = ReadonlyMap<string, SourceFile | PlacedFile>;

export type Range = readonly [start: number, end: number];

export function countLines(text: string): LineCounter {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) counter.addNewLine(at + 1);
  return counter;
}

/** The problems in the order of the text, each once: through aliases, one mistake is at many places of the value. */
export function locateProblems(problems: readonly DocumentProblem[], files: SourceFiles): Problem[] {
  const located = new Map<string, Problem>();
  for (const problem of problems) {
    const place = placeOf(problem, files);
    const { code, detail, source } = problem;
    const { file, line, column } = place?.position ?? {};
    located.set([code, file ?? source, line, column, detail].join('\n'), { ...problem, ...place });
  }
  return [...located.values()].sort(inOrderOfText);
}

function inOrderOfText({ position: a }: Problem, { position: b }: Problem): number {
  if (!a || !b) return Number(Boolean(a)) - Number(Boolean(b));
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

export function placeOf(
  { source = '', part, fragment, range }: Pick<DocumentProblem, 'source' | 'part' | 'fragment' | 'range'>,
  files: SourceFiles,
): { position: SourcePosition; sourceLine: string } | undefined {
  const [name = '', pointer = ''] = source.split(/#(.*)/s);
  const file = source === '' ? undefined : files.get(name);
  if (!file) return undefined;
  const place = 'rangeOf' in file ? file.rangeOf(pointer) : rangeOf(file, pointer, part);
  const [start, end] = range ?? narrowed(place, fragment, file.text);
  const { text, lines, covered, shownAs } = file;
  const { line, col: column } = lines.linePos(start);
  const lineEnd = (lines.lineStarts[line] ?? text.length + 1) - 1;
  const { length } = text.slice(start, Math.min(end, lineEnd)).trimEnd();
  const written = text.slice(lines.lineStarts[line - 1], lineEnd).replace(/\r$/, '');
  const sourceLine = covered.get(line) ?? coverSecrets(written);
  covered.set(line, sourceLine);
  return { position: { file: shownAs, line, column, ...(length > 0 ? { length } : {}) }, sourceLine };
}

/** Gives the text that stands at a place of a YAML file. */
export function writtenIn(files: SourceFiles): (source: SourceRef) => string | undefined {
  return (source) => {
    const [name = '', pointer = ''] = source.split(/#(.*)/s);
    const file = files.get(name);
    if (!file || !('document' in file)) return undefined;
    return file.text.slice(...rangeOf(file, pointer, undefined));
  };
}

/** Range of the node that the pointer names, or of its nearest ancestor in the text. */
function rangeOf(
  { document, members, targets }: SourceFile,
  pointer: string,
  part: 'key' | undefined,
): Range {
  let value: unknown = document.contents;
  let key: unknown;
  for (const step of pointerKeys(pointer)) {
    const container: unknown = isAlias(value) ? targets.get(value) : value;
    if (isMap(container)) {
      const byKey = members.get(container) ?? membersByName(container, targets);
      members.set(container, byKey);
      const pair = byKey.get(step);
      if (!pair) return shownRange(value, key);
      ({ key, value } = pair);
    } else {
      const item = isSeq(container) ? container.items[Number(step)] : undefined;
      if (!isNode(item)) return shownRange(value, key);
      [key, value] = [undefined, item];
    }
  }
  return part === 'key' && key ? textRange(key) : shownRange(value, key);
}

function shownRange(value: unknown, key: unknown): Range {
  const [start, end] = textRange(value);
  if (isNode(key) && (isCollection(value) || start === end)) return textRange(key);
  const first = isMap(value) && !value.flow ? value.items[0]?.key : undefined;
  return isNode(first) ? textRange(first) : [start, end];
}

function textRange(node: unknown): Range {
  const [start, end] = (isNode(node) && node.range) || [0, 0];
  return [start, end];
}

function narrowed([start, end]: Range, fragment: string | undefined, text: string): Range {
  if (fragment === undefined) return [start, end];
  const found = text.slice(start, end).indexOf(fragment);
  return found < 0 ? [start, end] : [start + found, start + found + fragment.length];
}
