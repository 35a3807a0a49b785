import { describe, expect, it } from 'vitest';
import { readCsv } from '../../src/document/csv-table.ts';
import { readJsonTable } from '../../src/document/json-table.ts';
import type { Table, TableMistake } from '../../src/document/table.ts';

/** What was read, and the text at the place of every cell. */
function shown(text: string, table: Table | TableMistake) {
  const at = ([start, end]: readonly [number, number]) => text.slice(start, end);
  if (!('rows' in table)) return { mistake: table.detail.slice(0, 40), at: at(table.range) };
  const { columns, rows, cellOf, header, rangeOf } = table;
  return {
    columns,
    names: columns.map((_, column) => at(rangeOf(header(column)))),
    rows: rows.map(({ cells }) => cells),
    places: rows.map(({ pointer, cells }) => cells.map((_, column) => at(rangeOf(cellOf(pointer, column))))),
    rowPlaces: rows.map(({ pointer }) => at(rangeOf(pointer))),
  };
}

const csv = async (text: string) => shown(text, await readCsv(text));
const json = (text: string) => shown(text, readJsonTable(text));

describe('a table in CSV', () => {
  it.each([',', ';', '\t'])('with "%s" between cells', async (separator) => {
    const text = 'key,näme\r\na,"x, ""y""\nz"\r\n\r\n  \r\nb,ü\r\n'.replace(/,(?! )/g, separator);
    expect(await csv(text)).toMatchObject({
      columns: ['key', 'näme'],
      names: ['key', 'näme'],
      rows: [
        ['a', 'x, "y"\nz'],
        ['b', 'ü'],
      ],
      places: [
        ['a', '"x, ""y""\nz"'],
        ['b', 'ü'],
      ],
    });
  });

  it('passes over rows of nothing, as programs for tables leave them', async () => {
    expect(await csv('key;b;\n;;\nx;;\n')).toMatchObject({
      columns: ['key', 'b', ''],
      rows: [['x', '', '']],
    });
    expect(await csv('key\tb\n\tonly b\n')).toMatchObject({ places: [['', 'only b']] });
  });

  it.each(['sep=|', '"sep=|"', 'SEP=|'])('may begin with %s, as spreadsheets write it', async (line) => {
    const text = `${line}\r\nkey|a, b;c\r\n\r\nx|1,5;2\r\n`;
    expect(await csv(text)).toEqual({
      columns: ['key', 'a, b;c'],
      names: ['key', 'a, b;c'],
      rows: [['x', '1,5;2']],
      places: [['x', '1,5;2']],
      rowPlaces: ['x|1,5;2'],
    });
    expect(await csv('sep=;\nkey;b\nx;"open\n')).toMatchObject({ at: '"open' });
    // A column may be called like this.
    expect(await csv('sep=a,key\n1,x\n')).toMatchObject({ columns: ['sep=a', 'key'] });
  });

  it('is refused where a quote is in the wrong place, with the text from there on', async () => {
    expect(await csv('key,b\nx,"open\ny,2\n')).toEqual({
      mistake: 'This text begins with `"` and is never c',
      at: '"open',
    });
    expect(await csv('key,b\nx,1\ny,5" wide\n')).toEqual({
      mistake: 'A quote stands inside this text. Put the',
      at: '5" wide',
    });
    expect(await csv('"key"x,b\n')).toMatchObject({ at: '"key"x,b' });
  });
});

describe('a table in JSON', () => {
  it('is a list of objects', () => {
    const text =
      '[{"key": "a", "n": 1.5, "tags": ["x", " y"]},\n {"key":"b [,\\"", "sale": false, "n": null} ]\n';
    expect(json(text)).toMatchObject({
      columns: ['key', 'n', 'tags', 'sale'],
      rows: [
        ['a', '1.5', 'x|y', ''],
        ['b [,"', '', '', 'false'],
      ],
      places: [
        ['"a"', '1.5', '["x", " y"]', '{'],
        ['"b [,\\""', 'null', '{', 'false'],
      ],
      rowPlaces: ['{', '{'],
    });
    expect(json('[]')).toMatchObject({ columns: [], rows: [] });
  });

  it('is refused where it is something else', () => {
    expect(json('{"key": "a"}')).toMatchObject({
      mistake: 'A table in JSON is a list of objects, on',
      at: '{',
    });
    expect(json('[{"key": "a"}, 7]')).toMatchObject({
      mistake: 'A table in JSON is a list of objects, on',
      at: '7',
    });
    expect(json('[{"key": {"a": 1}}]')).toMatchObject({ at: '{"a": 1}' });
    expect(json('[{"key": ["a", null]}]')).toMatchObject({ at: '["a", null]' });
    expect(json('[{"key": "a"')).toMatchObject({ mistake: 'This is not JSON. Check commas, quotes a' });
    expect(json('[{"key": "a",}]')).toMatchObject({ mistake: 'This is not JSON. Check commas, quotes a' });
  });
});
