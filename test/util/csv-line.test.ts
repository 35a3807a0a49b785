import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { csvLine } from '../../src/util/csv-line.ts';

it('is what a reader of RFC 4180 reads back', () => {
  const cells = ['plain', 'a,b', 'say "so"', 'two\r\nlines', '', 'ä €', ' space '];
  expect(parse(csvLine(cells))).toEqual([cells]);
  expect(csvLine(['plain', 'a,b', 'say "so"', 7, true, null])).toBe('plain,"a,b","say ""so""",7,true,\r\n');
});

it('gives a spreadsheet no formula', () => {
  const formulas = ['=1+1', '+1', '-id', '@sum', '\t=1', '\r=1', '=HYPERLINK("https://x","y")'];
  const [read = []] = parse(csvLine(formulas));
  expect(read).toEqual(formulas.map((text) => `'${text}`));
  expect(csvLine(['a=1', '3-4'])).toBe('a=1,3-4\r\n');
});
