import { isMap, isNode, parseDocument } from 'yaml';
import { isJsonObject, type Json, parseJson } from '../util/json.ts';
import { memberOf } from '../model/source.ts';
import { pointerKeys } from '../util/json-pointer.ts';
import { keyName } from './key-name.ts';
import type { Range } from './locate.ts';
import { cellText, type Table, type TableMistake } from './table.ts';

/** A list of objects: each is a row, and the columns are the names of their members. */
export function readJsonTable(text: string): Table | TableMistake {
  const parsed = parseJson(text);
  // Numbers become texts before they are read, because 1.10 and a long id would lose digits.
  const value = parsed.ok ? parseJson(text.replace(STRING_OR_NUMBER, quoteNumber)) : parsed;
  if (!parsed.ok || !value.ok) {
    const [error] = parseDocument(text, { prettyErrors: false, logLevel: 'error' }).errors;
    const [start, end] = error?.pos ?? [0, 0];
    return {
      detail: 'This is not JSON. Check commas, quotes and brackets, from here on.',
      range: [start, end],
    };
  }
  const ranges = lazyRanges(text);
  const list: readonly Json[] = Array.isArray(value.value) ? value.value : [];
  const odd = list.findIndex((row) => !isJsonObject(row));
  if (!Array.isArray(value.value) || odd >= 0)
    return { detail: NO_ROWS, range: odd < 0 ? [0, 1] : ranges(`/${odd}`) };
  const objects = list.filter(isJsonObject);
  const columns = [...new Set(objects.flatMap((row) => Object.keys(row)))];
  const rows = objects.map((row, index) => ({
    pointer: `/${index}`,
    cells: columns.map((column) => (Object.hasOwn(row, column) ? textOf(row[column] ?? null) : '')),
  }));
  for (const { pointer, cells } of rows) {
    const column = cells.indexOf(undefined);
    if (column >= 0) return { detail: NO_TEXT, range: ranges(memberOf(pointer, columns[column] ?? '')) };
  }
  return {
    columns,
    rows: rows as Table['rows'],
    cellOf: (row, column) => memberOf(row, columns[column] ?? ''),
    header: () => '/0',
    rangeOf: ranges,
  };
}

const STRING_OR_NUMBER = /"(?:\\[^]|[^"\\])*"|-?\d[\d.eE+-]*/g;

function quoteNumber(token: string): string {
  return token.startsWith('"') ? token : `"${token}"`;
}

const NO_ROWS =
  'A table in JSON is a list of objects, one for each product: [{"key": "tote", "name": "Canvas tote"}].';
const NO_TEXT = 'A value of a table is a text, a number, true, false, or a list of texts.';

/** Undefined for what has no place in a table. */
function textOf(value: Json): string | undefined {
  if (value === null) return '';
  if (Array.isArray(value)) {
    const texts = value.map((each: Json) => (typeof each === 'string' ? cellText(each) : undefined));
    return texts.includes(undefined) ? undefined : texts.join('|');
  }
  return typeof value === 'object' ? undefined : cellText(String(value));
}

/** Where rows and their members are: found when it is asked for, because a right table asks for none. */
function lazyRanges(text: string): Table['rangeOf'] {
  let elements: readonly Range[] | undefined;
  return (pointer) => {
    const [row = '0', member] = pointerKeys(pointer);
    elements ??= [...elementsOf(text)];
    const [start, end] = elements[Number(row)] ?? [0, 0];
    const { contents } = parseDocument(text.slice(start, end), { logLevel: 'error', uniqueKeys: false });
    const pair = isMap(contents) ? contents.items.findLast(({ key }) => keyName(key) === member) : undefined;
    const range = isNode(pair?.value) ? pair.value.range : undefined;
    return range ? [start + range[0], start + range[1]] : [start, start + 1];
  };
}

/** The elements of a list that is right JSON. */
function* elementsOf(text: string): Iterable<Range> {
  let [depth, start] = [0, -1];
  for (const { 0: sign, index } of text.matchAll(/"(?:\\[^]|[^"\\])*"|[[\]{},]|[^\s"[\]{},]+/g)) {
    const closes = sign === ']' || sign === '}';
    if (closes) depth -= 1;
    const ends = (depth === 1 && sign === ',') || (depth === 0 && closes);
    if (ends && start >= 0) yield [start, text.slice(start, index).trimEnd().length + start];
    if (ends) start = -1;
    else if (depth === 1 && start < 0 && !closes) start = index;
    if (sign === '[' || sign === '{') depth += 1;
  }
}
