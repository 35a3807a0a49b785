/** Whether a folder of photos has a table of its products beside them, as shops export one. */
import path from 'node:path';
import { locateProblems } from '../document/locate.ts';
import { createProblems } from '../document/problems.ts';
import { readTable } from '../document/read-table.ts';
import type { PassedOver } from '../manifest/find-photos.ts';
import { readColumns } from '../manifest/table-columns.ts';
import type { Problem } from '../model/problem.ts';
import type { Disk } from '../util/disk.ts';
import { err, ok, type Result } from '../util/result.ts';

export interface FoundTable {
  /** Relative to the manifest's folder. */
  readonly file: string;
  /** As the rows have them. */
  readonly keys: readonly string[];
  /** Whether the rows name the photos; else these are in folders with the names of the keys. */
  readonly hasImages: boolean;
}

const TABLE_NAME = /\.(?:csv|tsv)$|(?:^|\/)products?\.json$/i;

interface Tables {
  readonly tables: readonly FoundTable[];
  /** Files that may be meant as one, and cannot be read. */
  readonly unread: readonly PassedOver[];
}

/** The tables in a folder, relative to `home`. */
export async function tablesIn(disk: Disk, home: string, folder: string): Promise<Tables> {
  const found = disk.list(path.resolve(home, folder));
  const names =
    'code' in found ? [] : found.filter(({ name }) => TABLE_NAME.test(name) && !name.startsWith('.'));
  const tables: FoundTable[] = [];
  const unread: PassedOver[] = [];
  for (const { name } of names) {
    const file = path.posix.join(folder, name);
    const table = await tableIn(disk, home, file);
    if (table.ok) tables.push(table.value);
    // A table of something else has other columns.
    const problem = table.ok ? undefined : table.error.find(({ code }) => code !== 'missing-column');
    if (problem)
      unread.push({ path: file, why: (problem.detail ?? problem.summary).replace(`${file}: `, '') });
  }
  return { tables, unread };
}

export interface ChosenTable {
  readonly table: FoundTable | undefined;
  readonly passedOver: readonly PassedOver[];
}

/**
 * The one of the tables near photos that describes the products. Who named the folder means its photos: then only a table
 * is taken whose rows each describe a product of the folder. `commandFor` names the command that takes a table instead.
 */
export function chooseTable(
  tables: readonly FoundTable[],
  {
    isFolderNamed,
    isProduct,
    commandFor,
  }: {
    readonly isFolderNamed: boolean;
    readonly isProduct: (key: string) => boolean;
    readonly commandFor: (file: string) => string;
  },
): ChosenTable {
  const [table, ...others] = tables;
  if (!table) return { table: undefined, passedOver: [] };
  const instead = ({ file }: FoundTable) => `\`${commandFor(file)}\` takes it instead`;
  if (others.length) {
    const why = (one: FoundTable) => `there are several tables of products; ${instead(one)}`;
    return { table: undefined, passedOver: tables.map((one) => ({ path: one.file, why: why(one) })) };
  }
  const without = table.keys.find((key) => !isProduct(key));
  if (!isFolderNamed || (!table.hasImages && without === undefined)) return { table, passedOver: [] };
  const why = table.hasImages
    ? 'its rows name their photos themselves, and a folder was named'
    : `its row "${without}" has no photos in the folder that was named`;
  return { table: undefined, passedOver: [{ path: table.file, why: `${why}; ${instead(table)}` }] };
}

/** Refused where the file is no table of products; with the mistakes in it, if it is meant as a table. */
export async function tableIn(
  disk: Disk,
  home: string,
  file: string,
): Promise<Result<FoundTable, readonly Problem[]>> {
  const at = path.resolve(home, file);
  if (disk.stat(at).type !== 'file') return err([]);
  const problems = createProblems();
  const reading = { disk, problems, files: new Map() };
  const table = await readTable({ path: at, shownAs: file, ref: file, found: '' }, reading);
  const columns = table && (await readColumns(table, `${file}#`, problems));
  if (!columns || table.rows.length === 0)
    return err(TABLE_NAME.test(file) ? locateProblems(problems.all(), reading.files) : []);
  const keys = table.rows.map(({ cells }) => cells[columns.key] ?? '');
  return ok({ file, keys: [...new Set(keys)], hasImages: columns.fields.has('images') });
}
