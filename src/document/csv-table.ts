import { pointerKeys } from '../util/json-pointer.ts';
import type { Range } from './locate.ts';
import { cellText, type Table, type TableMistake } from './table.ts';

type Parser = typeof import('csv-parse/sync');

/** A record may have too many cells: that is said of it, at its place. */
const OPTIONS = {
  relax_column_count: true,
  skip_empty_lines: true,
  record_delimiter: ['\r\n', '\n', '\r'],
};

type Options = typeof OPTIONS & { readonly delimiter: string; readonly relax_quotes: boolean };

/** The first row, or the one behind a line `sep=;`, has the names of the columns. Rows without any text, as programs for tables leave them, do not count. */
export async function readCsv(text: string): Promise<Table | TableMistake> {
  const { parse, CsvError } = await import('csv-parse/sync');
  const declared = SEPARATOR_LINE.exec(text)?.[1];
  const delimiter = declared ?? delimiterOf(text);
  // Feeds with tabs have quotes as characters (5" pipe); with commas, such a quote is most likely a mistake.
  const options = { ...OPTIONS, delimiter, relax_quotes: delimiter === '\t' };
  const first = declared === undefined ? 0 : 1;
  try {
    const [header = [], ...records] = parse(text, options).slice(first);
    const columns = header.map((name) => name.trim());
    const rows = records.flatMap((record, index) => {
      const cells = record.map(cellText);
      return cells.some((cell) => cell !== '') ? [{ cells, pointer: `/${first + index + 1}` }] : [];
    });
    return {
      columns,
      rows,
      cellOf: (row, column) => `${row}/${column}`,
      header: (column) => `/${first}/${column}`,
      rangeOf: lazyRanges(text, options, parse),
    };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { detail: wordsOf(error.code), range: placeOfError(text, Number(error['bytes'])) };
  }
}

/** What tells spreadsheets the character between the cells; it is no row. */
const SEPARATOR_LINE = /^"?sep=([^\r\n"])"?(?=[\r\n])/i;

const LONGEST_HEADER = 100_000;

/** What the names of the columns are separated by: a comma, a semicolon or a tab. */
function delimiterOf(text: string): string {
  const [line = ''] = text
    .slice(0, LONGEST_HEADER)
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** Where cells are: found when it is asked for, because a right table asks for none. */
function lazyRanges(text: string, options: Options, parse: Parser['parse']): Table['rangeOf'] {
  let starts: readonly number[] | undefined;
  return (pointer) => {
    const [record = '0', column] = pointerKeys(pointer).map(Number);
    starts ??= startsOfRecords(text, options, parse);
    const [begin = 0, end = text.length] = starts.slice(Number(record), Number(record) + 2);
    // Empty lines before a record count to it.
    const line = text.slice(begin, end).replace(/^[\r\n]+/, '');
    const start = end - line.length;
    if (column === undefined || Number.isNaN(column)) return [start, start + line.trimEnd().length];
    const [from, to] = rangesOfCells(line, options, parse)[column] ?? [0, line.trimEnd().length];
    return [start + from, start + to];
  };
}

function startsOfRecords(text: string, options: Options, parse: Parser['parse']): number[] {
  const buffer = Buffer.from(text);
  const starts = [0];
  let before = 0;
  const on_record = (_: unknown, { bytes }: { readonly bytes: number }) => {
    starts.push((starts.at(-1) ?? 0) + buffer.toString('utf8', before, bytes).length);
    before = bytes;
    return undefined;
  };
  parse(buffer, { ...options, on_record });
  return starts;
}

function rangesOfCells(line: string, options: Options, parse: Parser['parse']): Range[] {
  const ends: number[] = [];
  parse(line, { ...options, cast: (value, { bytes }) => (ends.push(bytes), value) });
  const bytes = Buffer.from(line);
  const at = (offset: number) => bytes.toString('utf8', 0, offset).length;
  return ends.map((end, index) => [index === 0 ? 0 : at((ends[index - 1] ?? 0) + 1), at(end)]);
}

/** The library says how many bytes it had read before the text that it does not understand. */
function placeOfError(text: string, bytes: number): Range {
  const before = Buffer.from(text).toString('utf8', 0, bytes).length;
  const start = before === 0 ? 0 : before + 1;
  const end = text.indexOf('\n', start);
  return [start, end < 0 ? text.length : end];
}

function wordsOf(code: string): string {
  return code === 'CSV_QUOTE_NOT_CLOSED'
    ? 'This text begins with `"` and is never closed, so the rest of the table would be in one cell. Write `"` where it ends.'
    : 'A quote stands inside this text. Put the whole text in quotes, and write each quote inside it twice (`""`).';
}
