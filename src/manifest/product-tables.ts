import path from 'node:path';
import { readTable } from '../document/read-table.ts';
import type { Table, TableRow } from '../document/table.ts';
import type { Reading } from '../document/read-yaml.ts';
import type { SourceRef } from '../model/source.ts';
import { createSlug, type Slug } from '../util/slug.ts';
import { findForeign, findHtml, hasExpression } from './expressions.ts';
import { fillVariables } from './fill-variables.ts';
import type { ImageScope } from './list-images.ts';
import { leaves, linkLeaves } from './path-problems.ts';
import { whatSpreadsheetsDo } from './spreadsheet-values.ts';
import { readColumns, type TableColumns, type TableField } from './table-columns.ts';
import type { DeclaredText } from './used-texts.ts';
import type { Variables } from './variables.ts';

/** A row of a table. */
export interface TableProduct {
  readonly key: string;
  /** The key as the table has it, where that is no key. */
  readonly keyAsWritten?: string;
  /** Texts by field; an empty cell has none. */
  readonly fields: Readonly<Partial<Record<TableField, string>>>;
  /** Texts of all other columns, empty ones included. */
  readonly vars: ReadonlyMap<string, string>;
  /** The folder of the table: paths of images are relative to it. */
  readonly base: string;
  readonly source: SourceRef;
  readonly keySource: SourceRef;
  /** Where the text of a field or a var is; undefined where the table has no column for it. */
  readonly sourceOf: (name: string) => SourceRef | undefined;
}

interface Scope {
  readonly reading: Reading;
  readonly images: ImageScope;
  readonly variables: Variables;
  /** As the user gave it. */
  readonly manifestFile: string;
  /** Names of variables that cells use are added here. */
  readonly used: Set<string>;
}

interface TableProducts {
  /** By key, in the order of the tables and of their rows. */
  readonly rows: ReadonlyMap<string, TableProduct>;
  /** Columns that are vars. */
  readonly vars: readonly DeclaredText[];
}

/** The products of `product_tables`. */
export async function readProductTables(files: readonly string[], scope: Scope): Promise<TableProducts> {
  const { sandbox, folder, problems } = scope.images;
  const products = new Map<string, TableProduct>();
  const vars: DeclaredText[] = [];
  for (const [index, file] of files.entries()) {
    const found = `#/product_tables/${index}`;
    const at = path.resolve(folder, file);
    const inside = sandbox.staysInside(file) ? (sandbox.leadsInside(at) ? undefined : linkLeaves) : leaves;
    if (inside) problems.add({ ...inside(file), source: found });
    const shownAs = path.join(path.dirname(scope.manifestFile), file);
    const table = inside
      ? undefined
      : await readTable({ path: at, shownAs, ref: file, found }, scope.reading);
    const columns = table && (await readColumns(table, `${file}#`, problems));
    if (!columns) {
      problems.explain('#/product_tables');
      continue;
    }
    await addProducts(products, { file, table, columns }, scope);
    for (const [name, at] of columns.vars)
      vars.push({ kind: 'product', name, source: `${file}#${table.header(at)}` });
  }
  return { rows: products, vars };
}

interface ReadTable {
  /** Relative to the manifest's folder. */
  readonly file: string;
  readonly table: Table;
  readonly columns: TableColumns;
}

async function addProducts(
  products: Map<string, TableProduct>,
  { file, table, columns }: ReadTable,
  scope: Scope,
): Promise<void> {
  const { problems } = scope.images;
  const ref = `${file}#`;
  const slug = await createSlug(keysOf(table, columns));
  const base = path.posix.dirname(file);
  const warned = new Set<number>();
  if (table.rows.length === 0) {
    const detail = 'This table has no row, so it names no product. Check that it was exported whole.';
    problems.add({ code: 'invalid-table', detail, source: ref + table.header(0) });
  }
  for (const row of table.rows) {
    const source = ref + row.pointer;
    if (row.cells.length !== table.columns.length) {
      const detail = `This row has ${row.cells.length} cells, and the table ${table.columns.length} columns. Put a text that holds the separator in double quotes.`;
      problems.add({ code: 'invalid-table', detail, source });
      continue;
    }
    const product = readRow(row, { table, columns, source, ref, base, slug, warned }, scope);
    if (product && products.has(product.key)) {
      const detail = `Another row is the product "${product.key}" as well, and only one of them would count. Remove one, or give it a key of its own.`;
      problems.add({ code: 'duplicate-product', detail, source: product.keySource });
    } else if (product) products.set(product.key, product);
  }
}

function* keysOf({ rows }: Table, { key }: TableColumns): Iterable<string> {
  for (const { cells } of rows) yield cells[key] ?? '';
}

interface RowScope extends Omit<ReadTable, 'file'> {
  readonly source: SourceRef;
  readonly ref: SourceRef;
  readonly base: string;
  readonly slug: Slug;
  /** Columns with a placeholder of another tool. */
  readonly warned: Set<number>;
}

function readRow(
  { cells, pointer }: TableRow,
  { table, columns, source, ref, base, slug, warned }: RowScope,
  scope: Scope,
): TableProduct | undefined {
  const { problems } = scope.images;
  const { key: keyColumn, fields, vars } = columns;
  const cellOf = (column: number) => ref + table.cellOf(pointer, column);
  const textOf = (column: number) => {
    const text = cells[column] ?? '';
    if (!/[{$%<&]/.test(text)) return text;
    // One warning a column is enough.
    const isAgain = warned.has(column) && !hasExpression(text);
    if (findForeign(text).length > 0 || findHtml(text).length > 0) warned.add(column);
    return isAgain ? text : filled(text, cellOf(column), scope);
  };
  const written = cells[keyColumn] ?? '';
  if (written === '') {
    const detail = 'This row has no key, so nobody could tell which product it is. Write one.';
    problems.add({ code: 'missing-key', detail, source: cellOf(keyColumn) });
    return undefined;
  }
  const described = [keyColumn, fields.get('name'), fields.get('description')];
  for (const column of described.filter((each) => each !== undefined)) {
    const detail = whatSpreadsheetsDo(cells[column] ?? '');
    if (detail !== undefined) problems.add({ code: 'spreadsheet-value', detail, source: cellOf(column) });
  }
  const key = KEY.test(written) ? written : slug(written);
  const present = [...fields].filter(([, at]) => cells[at] !== '').map(([field, at]) => [field, textOf(at)]);
  const texts: TableProduct['fields'] = Object.fromEntries(present);
  if (texts.service_id !== undefined && !UUID.test(texts.service_id)) {
    const detail =
      'The id of a product that the service has already is a UUID: 32 hexadecimal digits in five groups. Leave the cell empty where there is none.';
    problems.add({ code: 'invalid-value', detail, source: cellOf(fields.get('service_id') ?? keyColumn) });
  }
  return {
    key,
    ...(key === written ? {} : { keyAsWritten: written }),
    fields: texts,
    vars: new Map([...vars].map(([name, at]) => [name, textOf(at)])),
    base,
    source,
    keySource: cellOf(keyColumn),
    sourceOf(name) {
      const at = fields.get(name as TableField & 'name') ?? vars.get(name);
      return at === undefined ? undefined : cellOf(at);
    },
  };
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const KEY = /^[a-z0-9][a-z0-9._-]{0,62}$/;

function filled(text: string, source: SourceRef, { variables, images, used }: Scope): string {
  const { problems } = images;
  const read = fillVariables(text, { source, variables, matrixKeys: new Map(), problems });
  for (const name of read.usedVariables) used.add(name);
  return read.value;
}
