/** Tables: CSV and JSON become columns and rows of text, whose places in the file are found when somebody asks. */
import type { SourceRef } from '../model/source.ts';
import { readCsv } from './csv-table.ts';
import { readJsonTable } from './json-table.ts';
import { countLines, type Range } from './locate.ts';
import type { Table } from './table.ts';
import type { Reading } from './read-yaml.ts';
import { readText } from './read-text.ts';

/** 50,000 rows with long descriptions have 50 MB. */
const TABLE = {
  is: 'a table',
  saving: (encoding?: string) =>
    ': in a spreadsheet, "CSV UTF-8" among the file types' +
    (encoding === undefined ? '' : `; on the command line, \`iconv -f ${encoding} -t UTF-8 OLD > NEW\``),
  largest: 128,
  ifLarger: 'Split the table.',
};

/** The table in a file; undefined where it has none. `found` is the place in the manifest that names the file. */
export async function readTable(
  { path, shownAs, ref, found }: { path: string; shownAs: string; ref: string; found: SourceRef },
  { disk, problems, files }: Reading,
): Promise<Table | undefined> {
  const text = readText(disk, path, TABLE);
  if (typeof text !== 'string') {
    problems.add({ ...text, detail: `${shownAs}: ${text.detail}`, source: found });
    return undefined;
  }
  const table = /\.json$/i.test(ref) ? readJsonTable(text) : await readCsv(text);
  const rangeOf = 'rangeOf' in table ? table.rangeOf : (): Range => table.range;
  files.set(ref, { shownAs, text, lines: countLines(text), covered: new Map(), rangeOf });
  if ('rangeOf' in table) return table;
  problems.add({ code: 'invalid-table', detail: table.detail, source: `${ref}#`, range: table.range });
  return undefined;
}
