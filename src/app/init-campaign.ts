/** `campaign init`: a first manifest from a folder of photos. Nothing that exists is overwritten. */
import { createHash } from 'node:crypto';
import { appendFile, constants, copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { otherSpelling } from '../document/read-text.ts';
import { folderKeys } from '../manifest/folder-keys.ts';
import { holds, realOf } from '../manifest/path-sandbox.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { manifestText } from '../render/manifest-text.ts';
import type { Disk } from '../util/disk.ts';
import { readPlainFile, unlessExists, unlessMissing } from '../util/new-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { createSlug, type Slug } from '../util/slug.ts';
import { findPhotos, type FoundPhotos } from './find-photos.ts';
import { findTable, type FoundTable, tableIn } from './find-table.ts';
import { packageFile } from './package-info.ts';

/** What was found, before anything is written. */
export interface Beginning extends FoundPhotos {
  /** The manifest, and the folder that holds it, absolute. */
  readonly out: string;
  readonly home: string;
  /** The folder of photos, relative to `home`. */
  readonly folder: string;
  /** A table of the products. */
  readonly table?: FoundTable | undefined;
  /** The name that the campaign gets by default. */
  readonly name: string;
}

/** `folder` without a word: `photos` if there is such a folder beside the manifest, else the manifest's own. */
export async function beginCampaign(
  disk: Disk,
  { folder, out }: { readonly folder: string | undefined; readonly out: string },
): Promise<Result<Beginning, Refusal>> {
  const home = path.resolve(path.dirname(out));
  const inTheWay = [out, otherSpelling(disk, out)].find(
    (file) => file !== undefined && disk.lstat(file).type !== 'nothing',
  );
  if (inTheWay !== undefined)
    return err(refused('exists', `${inTheWay} exists already, and init overwrites nothing. ${ELSEWHERE}`));
  if (disk.stat(home).type !== 'folder')
    return err(
      refused(
        'no-folder',
        `${out} cannot be written: the folder ${path.dirname(out)} does not exist. Make it first.`,
      ),
    );
  const standard = disk.stat(path.join(home, 'photos')).type === 'folder' ? path.join(home, 'photos') : home;
  const at = folder === undefined ? standard : path.resolve(folder);
  const shown = folder ?? (path.relative('', standard) || '.');
  const { type } = disk.stat(at);
  if (type !== 'folder' && type !== 'file')
    return err(
      refused(
        'no-folder',
        `${shown} is no folder. Name the folder that holds the photos, or a table of products.`,
      ),
    );
  if (!holds(realOf(disk, home), realOf(disk, at)))
    return err(refused('outside-folder', outside(shown, out)));
  const inside = path.relative(realOf(disk, home), realOf(disk, at)) || '.';
  const base = path.basename(home);
  const name = usableKey(base, await createSlug([base])) ?? 'campaign';
  const named = type === 'file' ? await tableIn(disk, home, inside) : undefined;
  if (named && !named.ok) {
    const { error: problems } = named;
    return err(
      problems.length ? { exit: EXIT.invalidManifest, problems } : refused('no-table', noTable(shown)),
    );
  }
  const beside = named ? { table: named.value, unread: [] } : await tableFor(disk, home, inside);
  const { table } = beside;
  const photos = type === 'folder' ? inside : path.relative(home, standard) || '.';
  const found = table?.hasImages ? NO_PHOTOS : findPhotos(disk, { home, folder: photos, campaign: name });
  const isSomething = found.photos > 0 || table?.hasImages === true;
  const passedOver = [...found.passedOver, ...beside.unread];
  return isSomething
    ? ok({ ...found, passedOver, out, home, folder: photos, table, name })
    : err(noPhotos(shown, { ...found, passedOver }));
}

/** A table lies with the photos, or with the manifest. */
async function tableFor(disk: Disk, home: string, folder: string): ReturnType<typeof findTable> {
  const withPhotos = await findTable(disk, home, folder);
  if (withPhotos.table || folder === '.') return withPhotos;
  const withManifest = await findTable(disk, home, '.');
  return { ...withManifest, unread: [...withPhotos.unread, ...withManifest.unread] };
}

/** The rows of a table name their photos. */
const NO_PHOTOS: FoundPhotos = { folders: [], productFolders: [], loose: [], photos: 0, passedOver: [] };

function noTable(shown: string): string {
  return `${shown} is neither a folder of photos nor a table of products: a table (CSV, or JSON that ends in .json) has rows, and a column "key", "id" or "sku".`;
}

const ELSEWHERE = 'Name another file with --out.';

function outside(folder: string, out: string): string {
  const there = path.join(folder, '..', path.basename(out));
  return `${folder} is not in the folder of the manifest, so a copy of that folder would not be whole. Move the photos, or write the manifest beside them: --out ${there}.`;
}

function noPhotos(shown: string, { passedOver: [first] }: FoundPhotos): Refusal {
  const why = first ? ` "${first.path}" is passed over: ${first.why}.` : '';
  return refused(
    'no-photos',
    `${shown} and the folders in it hold no file that ends in .jpg, .jpeg, .png, .webp, .gif, .avif, .heic, .tif or .tiff.${why}`,
  );
}

const SUMMARIES = {
  exists: 'There is a manifest already',
  'no-folder': 'No such folder',
  'no-photos': 'No photo was found',
  'no-table': 'No table of products',
  'outside-folder': 'Folder is outside of the campaign',
} as const;

function refused(code: keyof typeof SUMMARIES, detail: string): Refusal {
  return refusal(EXIT.usage, { code, summary: SUMMARIES[code], detail });
}

export interface Answers {
  /** Names the manifest on the command line, for advice; empty where that is not needed. */
  readonly target: string;
  readonly name: string;
  readonly look: string;
  readonly ratios: readonly string[];
}

export interface Written {
  /** Relative to the present folder; the manifest first. */
  readonly files: readonly string[];
  readonly products: number;
  readonly posts: number;
}

/** The file that editors read the schema from, beside the manifest. */
const SCHEMA = 'campaign.schema.json';

/** Refused where the manifest would not be valid: then nothing is written. */
export async function writeCampaign(
  disk: Disk,
  begun: Beginning,
  answers: Answers,
): Promise<Result<Written, Refusal>> {
  const { out, home, folders, productFolders, loose, table } = begun;
  const names = loose.map(({ name }) => name);
  const folderNames = productFolders.map((folder) => path.basename(folder));
  const slug = await createSlug([...names, ...folderNames, ...(table?.keys ?? [])]);
  const ofFolders = [...folderKeys(folderNames, slug).values()].map(({ key }) => key);
  const keys = keysOf(names, new Set(ofFolders), slug);
  const products = loose.map((each, index) => ({ ...each, key: keys[index] ?? each.name }));
  const text = manifestText({ ...answers, schema: SCHEMA, table: table?.file, folders, products });
  const invalid = await whyInvalid(disk, out, text);
  if (invalid) return err(invalid);
  await writeFile(out, text, { flag: 'wx' });
  const beside = path.dirname(out);
  const schema = path.join(beside, SCHEMA);
  const isNew = await copyFile(packageFile('schemas', SCHEMA), schema, constants.COPYFILE_EXCL).then(
    () => true,
    unlessExists,
  );
  const ignored = await addLines(path.join(home, '.gitignore'), ['out/', '.campaign/']);
  const fromTable = (table?.keys ?? []).map(slug);
  const count = new Set([...fromTable, ...ofFolders, ...products.map(({ key }) => key)]).size;
  return ok({
    files: [out, ...(isNew ? [schema] : []), ...(ignored ? [path.join(beside, '.gitignore')] : [])],
    products: count,
    posts: count * answers.ratios.length,
  });
}

/** What `validate` would say of the manifest: rows of a table without a photo, for example. */
async function whyInvalid(disk: Disk, out: string, text: string): Promise<Refusal | undefined> {
  const { loadManifest } = await import('../manifest/load.ts');
  const read: Disk['read'] = (at, most) => (at === out ? Buffer.from(text) : disk.read(at, most));
  const loaded = await loadManifest({
    disk: { ...disk, read },
    file: out,
    need: 'nothing',
    variables: new Map(),
    outside: 'refuse',
    today: () => '2026-01-01',
  });
  if (loaded.ok) return undefined;
  const detail =
    '`campaign validate` would refuse it for what stands above. Mend that, then run init again: nothing was written.';
  const summary = 'The manifest would not be valid';
  return {
    exit: EXIT.invalidManifest,
    problems: [...loaded.error, { code: 'invalid-draft', summary, detail }],
  };
}

/** Adds the lines that a file does not have, and makes it where there is none; false where it has all of them. */
async function addLines(file: string, lines: readonly string[]): Promise<boolean> {
  const before = (await readPlainFile(file).catch(unlessMissing)) ?? '';
  const present = new Set(before.split('\n').map((line) => line.trim().replace(/^\//, '')));
  const missing = lines.filter((line) => !present.has(line));
  if (!missing.length) return false;
  await appendFile(file, `${before === '' || before.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`);
  return true;
}

/** A key for each name; one that is taken, or nothing that can be a key, gets a piece of the name's SHA-256. */
function keysOf(names: readonly string[], taken: Set<string>, slug: Slug): string[] {
  return names.map((name) => {
    const key = usableKey(name, slug);
    const free = key !== undefined && !taken.has(key) ? key : `${key?.slice(0, 33) ?? 'x'}-${digest(name)}`;
    taken.add(free);
    return free;
  });
}

function digest(name: string): string {
  return createHash('sha256').update(name.normalize('NFC')).digest('hex').slice(0, 6);
}

/** The slug of a name, if it can be a key. */
function usableKey(name: string, slug: Slug): string | undefined {
  const key = slug(name).replace(/^[^a-z0-9]+|-+$/g, '');
  return key === '' ? undefined : key;
}
