/** What the columns of a product table mean. */
import { isSurelySecret } from '../document/cover-secrets.ts';
import type { Problems } from '../document/problems.ts';
import type { Table } from '../document/table.ts';
import { secretDetail } from '../document/schema-problems.ts';
import type { SourceRef } from '../model/source.ts';
import { someOf } from '../util/did-you-mean.ts';
import { createSlug } from '../util/slug.ts';

/** Fields of a product by the names that shops give their columns; the first name that a table has counts. */
const FIELDS = {
  key: ['key', 'id', 'sku'],
  name: ['name', 'title'],
  description: ['description'],
  images: ['images', 'image_link'],
  service_id: ['service_id'],
} as const;

export type TableField = keyof typeof FIELDS;

/** Numbers of columns. */
export interface TableColumns {
  readonly key: number;
  readonly fields: ReadonlyMap<Exclude<TableField, 'key'>, number>;
  readonly vars: ReadonlyMap<string, number>;
}

/** Undefined where no column has the keys; columns without a name, as programs leave them at the end, do not count. */
export async function readColumns(
  { columns, header }: Table,
  ref: SourceRef,
  problems: Problems,
): Promise<TableColumns | undefined> {
  const byName = new Map<string, number>();
  for (const [index, name] of columns.entries()) {
    const source = ref + header(index);
    const detail = `Two columns are called "${name}", and only one of them would count. Rename or remove one.`;
    if (byName.has(name)) problems.add({ code: 'duplicate-key', detail, source });
    if (isSurelySecret(name))
      problems.add({ code: 'secret-in-manifest', detail: secretDetail(name), source });
    if (name !== '') byName.set(name, index);
  }
  const folded = new Map(
    [...byName].map(([name, index]) => [name.toLowerCase().replaceAll(' ', '_'), index]),
  );
  const placeOf = (field: TableField) => {
    const name = FIELDS[field].find((each) => folded.has(each));
    return name === undefined ? undefined : folded.get(name);
  };
  const key = placeOf('key');
  if (key === undefined) {
    const hint = ` Its columns are: ${someOf(byName.keys())}.`;
    const detail = `This table has no column "key" (or "id", or "sku"), which says which product a row is.${hint}`;
    problems.add({ code: 'missing-column', detail, source: ref + header(0) });
    return undefined;
  }
  const fields = (['name', 'description', 'images', 'service_id'] as const).flatMap((field) => {
    const at = placeOf(field);
    return at === undefined ? [] : [[field, at] as const];
  });
  const taken = new Set([key, ...fields.map(([, at]) => at)]);
  const others = [...byName].filter(([, at]) => !taken.has(at));
  return { key, fields: new Map(fields), vars: await varsOf(others, { ref, header, problems }) };
}

/** The names by which expressions name columns: as they are written, or their slugs where no expression could. */
async function varsOf(
  columns: readonly (readonly [name: string, at: number])[],
  { ref, header, problems }: Pick<Table, 'header'> & { readonly ref: SourceRef; readonly problems: Problems },
): Promise<ReadonlyMap<string, number>> {
  const slug = await createSlug(columns.map(([name]) => name));
  const vars = new Map<string, number>();
  const written = new Map<string, string>();
  for (const [column, at] of columns) {
    const isName = /^[A-Za-z][A-Za-z0-9_-]*$/.test(column);
    const name = isName
      ? column
      : slug(column)
          .replaceAll('.', '-')
          .replace(/^[^a-z]+/, '');
    const other = written.get(name);
    const detail = `The columns "${other}" and "${column}" would both be \${{ product.vars.${name} }}. Rename one of them.`;
    if (other !== undefined) problems.add({ code: 'duplicate-slug', detail, source: ref + header(at) });
    written.set(name, column);
    if (name !== '') vars.set(name, at);
  }
  return vars;
}
