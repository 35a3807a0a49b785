import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import type { SourceRef } from '../model/source.ts';
import type { Disk } from '../util/disk.ts';
import { checkNodes } from './check-nodes.ts';
import { keyName, writtenText } from './key-name.ts';
import { countLines, type PlacedFile, type SourceFile } from './locate.ts';
import { membersByName } from './merge-keys.ts';
import { firstTooDeep, TOO_DEEP } from './nesting.ts';
import type { Problems } from './problems.ts';
import { readText } from './read-text.ts';
import { describeSyntaxError, type SyntaxProblem } from './syntax-problems.ts';

export interface Reading {
  readonly disk: Disk;
  readonly problems: Problems;
  readonly files: Map<string, SourceFile | PlacedFile>;
}

/** Maps by the names of their members, `*` for any, in which every number, true and false is a text, as it is written. */
export interface TextPlaces {
  readonly [name: string]: TextPlaces | 'texts';
}

interface YamlFile {
  readonly path: string;
  readonly shownAs: string;
  readonly ref: string;
  /** The place in the manifest that named the file. */
  readonly found?: SourceRef;
  readonly texts?: TextPlaces;
}

/** The value of a YAML file; undefined when it has none. */
export function readYaml(
  { path, shownAs, ref, found, texts }: YamlFile,
  { disk, problems, files }: Reading,
): unknown {
  const source = `${ref}#`;
  const text = readText(disk, path);
  if (typeof text !== 'string') {
    problems.add({ ...text, detail: `${shownAs}: ${text.detail}`, source: found ?? source });
    return undefined;
  }
  const tooDeep = firstTooDeep(text);
  const document = parseDocument(tooDeep ? '' : text, {
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const places = { members: new WeakMap(), targets: new WeakMap(), covered: new Map() };
  const file: SourceFile = { shownAs, text, lines: countLines(text), document, ...places };
  files.set(ref, file);
  if (tooDeep) {
    problems.add({ code: 'too-deep', detail: TOO_DEEP, source, range: tooDeep });
    return undefined;
  }
  const read = understood(file, source, problems);
  if (read === 'nothing' || !checkNodes({ file, read, source, problems })) return undefined;
  return toValue(file, texts);
}

/** A text with more syntax errors is no YAML; each error takes a walk through the document. */
const MOST_ERRORS = 100;

/** Where a part of the text was not understood, what these problems report missing may be in that part. */
const MAY_BE_LOST =
  'version name service variables defaults product_folders product_tables products concepts'.split(' ');

/** Reports syntax errors and removes what they make unreadable; returns how much of the document can be read. */
function understood(file: SourceFile, source: SourceRef, problems: Problems) {
  const { document, text } = file;
  const { contents } = document;
  const conflict = /^(?:<{7} .*|={7}|>{7} .*)$/m.exec(text);
  // In the order of the parser, which reports causes before their consequences.
  const errors = conflict
    ? [mergeConflict(conflict.index, conflict[0])]
    : [...document.errors, ...document.warnings]
        .slice(0, MOST_ERRORS)
        .map((error) => describeSyntaxError(error, { document, text }));
  const spoilt = new Set<string>();
  for (const { spoils, range, ...problem } of errors) {
    const section = spoils === 'nothing' ? undefined : sectionAt(range[0], file);
    // Further errors in a section that is unreadable are consequences of the first one.
    if (section === undefined || !spoilt.has(section)) problems.add({ ...problem, source, range });
    if (spoils === 'all' || (spoils === 'section' && section === undefined)) return 'nothing';
    if (section !== undefined) spoilt.add(section);
  }
  if (spoilt.size === 0 || !isMap(contents)) return 'everything';
  contents.items = contents.items.filter(({ key }) => {
    const known = marginKey(key, text);
    return known && !spoilt.has(known.name);
  });
  for (const name of [...MAY_BE_LOST, ...spoilt]) problems.explain(`${source}/${name}`);
  return 'a part';
}

function mergeConflict(start: number, line: string): SyntaxProblem {
  const detail =
    'This is the mark of a merge conflict in git. Decide which lines hold, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.';
  return { code: 'merge-conflict', detail, range: [start, start + line.length], spoils: 'all' };
}

/** The top-level key whose section an offset is in. */
function sectionAt(offset: number, { document, text }: SourceFile): string | undefined {
  const { contents } = document;
  if (!isMap(contents) || contents.flow) return undefined;
  const keys = contents.items.flatMap(({ key }) => marginKey(key, text) ?? []);
  return keys.findLast(({ start }) => start <= offset)?.name;
}

function marginKey(key: unknown, text: string): { name: string; start: number } | undefined {
  const name = keyName(key);
  const [start = 0, end = 0] = (isScalar(key) && key.range) || [];
  const isAtMargin = start === 0 || text[start - 1] === '\n';
  if (name === undefined || !isAtMargin || text.slice(start, end).includes('\n')) return undefined;
  return { name, start };
}

/**
 * The value of a checked document: every alias is known and in no cycle, every key has a name. (The library's own
 * conversion searches for the anchor of every alias among all others.)
 */
function toValue({ document, targets }: SourceFile, places: TextPlaces | undefined): unknown {
  const known = { values: new Map<Node, unknown>(), texts: new Map<Node, unknown>() };
  const convert = (node: unknown, at: TextPlaces | 'texts' | undefined): unknown => {
    if (isAlias(node)) {
      const target = targets.get(node);
      if (!target || typeof at === 'object') return target && convert(target, at);
      const before = at === 'texts' ? known.texts : known.values;
      if (!before.has(target)) before.set(target, convert(target, at));
      return before.get(target);
    }
    if (isSeq(node)) return node.items.map((item) => convert(item, below(at, '*')));
    if (isMap(node)) {
      const value: Record<string, unknown> = {};
      for (const [name, pair] of membersByName(node, targets))
        value[name] = convert(pair.value, below(at, name));
      return value;
    }
    if (!isScalar(node)) return null;
    return at === 'texts' ? (writtenText(node) ?? node.value) : node.value;
  };
  return convert(document.contents, places);
}

function below(at: TextPlaces | 'texts' | undefined, name: string): TextPlaces | 'texts' | undefined {
  if (typeof at !== 'object') return at;
  return Object.hasOwn(at, name) ? at[name] : at['*'];
}
