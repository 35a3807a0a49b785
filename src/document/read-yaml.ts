import { type Document, isMap, isScalar, parseDocument } from 'yaml';
import type { SourceRef } from '../model/source.ts';
import { checkNodes } from './check-nodes.ts';
import { keyName } from './key-name.ts';
import type { SourceFile } from './locate.ts';
import { firstTooDeep, TOO_DEEP } from './nesting.ts';
import type { Problems } from './problems.ts';
import { readText } from './read-text.ts';
import { describeSyntaxError, type SyntaxProblem } from './syntax-problems.ts';
import { createTextLines } from './text-lines.ts';
import { toValue } from './to-value.ts';

export interface Reading {
  readonly problems: Problems;
  readonly files: Map<string, SourceFile>;
}

/** The value of a YAML file; undefined when it has none. `found` is the place in the manifest that named the file. */
export async function readYaml(
  { path, shownAs, ref, found }: { path: string; shownAs: string; ref: string; found?: SourceRef },
  { problems, files }: Reading,
): Promise<unknown> {
  const source = `${ref}#`;
  const text = await readText(path);
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
  const lines = createTextLines(text);
  const places = { members: new WeakMap(), targets: new WeakMap(), covered: new Map() };
  const file: SourceFile = { shownAs, text, lines, document, ...places };
  files.set(ref, file);
  if (tooDeep) {
    problems.add({ code: 'too-deep', detail: TOO_DEEP, source, range: tooDeep });
    return undefined;
  }
  const read = understood({ file, source, problems });
  if (read === 'nothing' || !checkNodes({ file, read, source, problems })) return undefined;
  return toValue(file);
}

/** A text with more syntax errors is no YAML; each error takes a walk through the document. */
const MOST_ERRORS = 100;

interface Parsed {
  readonly file: SourceFile;
  readonly source: SourceRef;
  readonly problems: Problems;
}

/** Reports syntax errors and removes what they make unreadable; returns how much of the document can be read. */
function understood({ file, source, problems }: Parsed): 'everything' | 'a part' | 'nothing' {
  const { document, text } = file;
  const conflict = /^(?:<{7} .*|={7}|>{7} .*)$/m.exec(text);
  const errors = conflict ? [mergeConflict(conflict.index, conflict[0])] : syntaxProblems(document, text);
  const spoilt = new Set<string>();
  for (const { spoils, range, ...problem } of errors) {
    const section = spoils === 'nothing' ? undefined : sectionAt(range[0], file);
    // Further errors in a section that is unreadable are consequences of the first one.
    if (section === undefined || !spoilt.has(section)) problems.add({ ...problem, source, range });
    if (spoils === 'all' || (spoils === 'section' && section === undefined)) return 'nothing';
    if (section !== undefined) spoilt.add(section);
  }
  if (spoilt.size === 0) return 'everything';
  leaveOut(spoilt, { file, source, problems });
  return 'a part';
}

/** In the order of the parser, which reports causes before their consequences. */
function syntaxProblems(document: Document, text: string): SyntaxProblem[] {
  return [...document.errors, ...document.warnings]
    .slice(0, MOST_ERRORS)
    .map((error) => describeSyntaxError(error, { document, text }));
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
  return name !== undefined && isAtMargin && !text.slice(start, end).includes('\n')
    ? { name, start }
    : undefined;
}

/** Where a part of the text was not understood, what these problems report missing may be in that part. */
const MAY_BE_LOST = 'version name service variables defaults product_folders products concepts'.split(' ');

function leaveOut(spoilt: ReadonlySet<string>, { file, source, problems }: Parsed): void {
  const { contents } = file.document;
  if (!isMap(contents)) return;
  contents.items = contents.items.filter(({ key }) => {
    const known = marginKey(key, file.text);
    return known && !spoilt.has(known.name);
  });
  for (const name of [...MAY_BE_LOST, ...spoilt]) problems.explain(`${source}/${name}`);
}
