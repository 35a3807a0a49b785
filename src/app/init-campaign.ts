/** `campaign init`: a first manifest from a folder of photos. Nothing that exists is overwritten. */
import { appendFile, constants, copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { otherSpelling } from '../document/read-text.ts';
import {
  findPhotos,
  type FoundPhotos,
  type PassedOver,
  patternsFor,
  type PhotoFolder,
} from '../manifest/find-photos.ts';
import { IMAGE_ENDINGS } from '../manifest/image-names.ts';
import type { LoadedManifest } from '../manifest/load.ts';
import type { ImageSource } from '../manifest/manifest.ts';
import { findOwnOutputs } from '../manifest/own-outputs.ts';
import { createPathSandbox, holds, realOf } from '../manifest/path-sandbox.ts';
import { EXIT } from '../model/exit.ts';
import { type Problem, refusal, type Refusal } from '../model/problem.ts';
import { type FirstManifest, manifestText } from '../render/manifest-text.ts';
import type { Disk } from '../util/disk.ts';
import { readPlainFile, unlessExists, unlessMissing } from '../util/new-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { createSlug } from '../util/slug.ts';
import { draftProducts, type TakenPhotos, usableKey, withoutRefused } from './draft-products.ts';
import { chooseTable, type ChosenTable, tableIn, tablesIn } from './find-table.ts';
import { packageFile } from './package-info.ts';
import { refusedPhotos } from './refused-photos.ts';
import type { Runtime } from './runtime.ts';

/** What was found, before anything is written. Paths are relative to `home`. */
export interface Beginning extends Pick<FirstManifest, 'table' | 'folders' | 'products' | 'leftOut'> {
  /** The manifest, and the folder that holds it, absolute. */
  readonly out: string;
  readonly home: string;
  /** The name that the campaign gets by default. */
  readonly name: string;
  readonly counts: { readonly products: number; readonly photos: number };
  /** Whether the rows of the table name the photos. */
  readonly isOfTable: boolean;
  /** Files that somebody may miss, with the reason. */
  readonly passedOver: readonly PassedOver[];
}

interface Wanted {
  /** As it was given. */
  readonly folder: string | undefined;
  readonly out: string;
  /** The command that begins with this table instead. */
  readonly commandFor: (file: string) => string;
}

type Machine = Pick<Runtime, 'clock' | 'disk' | 'emit'>;

/** `folder` without a word: `photos` if there is such a folder beside the manifest, else the manifest's own. */
export async function beginCampaign(machine: Machine, wanted: Wanted): Promise<Result<Beginning, Refusal>> {
  const { disk } = machine;
  const place = placeOf(disk, wanted);
  if (!place.ok) return place;
  const { home, at, inside, standard, shown } = place.value;
  const isFile = disk.stat(at).type === 'file';
  const named = isFile ? await tableIn(disk, home, inside) : undefined;
  if (named && !named.ok) {
    const { error: problems } = named;
    return err(
      problems.length ? { exit: EXIT.invalidManifest, problems } : refused('no-table', noTable(shown)),
    );
  }
  const base = path.basename(home);
  const name = usableKey(base, await createSlug([base])) ?? 'campaign';
  const sandbox = createPathSandbox(disk, home, 'refuse');
  const outputs = findOwnOutputs({ disk, folder: home, name, dir: `out/${name}`, known: [] });
  const folder = isFile ? standard : inside;
  const photos = { disk, home, sandbox, outputs };
  const found = findPhotos(photos, folder);
  const chosen = named
    ? { table: named.value, passedOver: [] }
    : await tableFor(found, place.value, { ...wanted, disk });
  const { table } = chosen;
  const isOfTable = table?.hasImages === true;
  const taken = isOfTable ? { folders: [], loose: [], rows: [] } : { ...found, rows: [] };
  const passedOver = [...(isOfTable ? [] : found.passedOver), ...chosen.passedOver];
  const patterns = (folders: readonly PhotoFolder[]) =>
    patternsFor(
      folder,
      folders.map((each) => each.path),
      photos,
    );
  const common = { out: wanted.out, home, name, isOfTable, table: table?.file };
  const drafted = await draft(taken, { ...common, patterns }, machine);
  if (!drafted.ok) return drafted;
  const begun = { ...common, ...drafted.value, passedOver };
  return begun.counts.photos > 0 ? ok(begun) : err(noPhotos(shown, [...begun.leftOut, ...passedOver]));
}

interface Place {
  /** The folder of the manifest, and what was named or is meant, absolute. */
  readonly home: string;
  readonly at: string;
  /** The same, and where photos are without a word, relative to `home`. */
  readonly inside: string;
  readonly standard: string;
  /** In words. */
  readonly shown: string;
}

function placeOf(disk: Disk, { folder, out }: Wanted): Result<Place, Refusal> {
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
  return ok({ home, at, inside, standard: path.relative(home, standard) || '.', shown });
}

/** A table that lies with the photos, or with the manifest. */
async function tableFor(
  found: FoundPhotos,
  { home, inside }: Place,
  { folder, commandFor, disk }: Wanted & { readonly disk: Disk },
): Promise<ChosenTable> {
  const withPhotos = await tablesIn(disk, home, inside);
  const isElsewhere = withPhotos.tables.length === 0 && inside !== '.';
  const withManifest = isElsewhere ? await tablesIn(disk, home, '.') : { tables: [], unread: [] };
  const { folderKeys, looseKeys } = await draftProducts({ ...found, rows: [] });
  const products = new Set([...folderKeys, ...looseKeys]);
  const tables = [...withPhotos.tables, ...withManifest.tables];
  const slug = await createSlug(tables.flatMap(({ keys }) => keys));
  const chosen = chooseTable(tables, {
    isFolderNamed: folder !== undefined,
    isProduct: (key) => products.has(slug(key)),
    commandFor: (file) => commandFor(path.relative('', path.resolve(home, file))),
  });
  return { ...chosen, passedOver: [...withPhotos.unread, ...withManifest.unread, ...chosen.passedOver] };
}

interface Drafting extends Pick<Beginning, 'out' | 'home' | 'name' | 'table' | 'isOfTable'> {
  readonly patterns: (folders: readonly PhotoFolder[]) => readonly string[];
}

type Drafted = Pick<Beginning, 'folders' | 'products' | 'leftOut' | 'counts'>;

/** Nothing where no photo can be taken. */
const NOTHING: Drafted = { folders: [], products: [], leftOut: [], counts: { products: 0, photos: 0 } };

/** Photos that `validate` would refuse are left out. */
async function draft(
  taken: TakenPhotos,
  drafting: Drafting,
  machine: Machine,
): Promise<Result<Drafted, Refusal>> {
  const first = await draftOnce(taken, drafting, machine.disk);
  if (!first.ok) return first;
  if (!first.value) return ok(NOTHING);
  const { products, diagnose, draft: drafted } = first.value;
  const files = [...new Set(products.flatMap(({ images }) => filesOf(images)))];
  const refusals = await refusedPhotos(machine, { folder: drafting.home, files });
  const done = (result: NonNullable<typeof first.value>, leftOut: readonly PassedOver[]): Drafted => ({
    folders: result.folders,
    products: result.draft.products,
    leftOut,
    counts: {
      products: result.products.length,
      photos: result.products.reduce((sum, { images }) => sum + images.length, 0),
    },
  });
  if (!refusals.length) return ok(done(first.value, []));
  const kept = withoutRefused(taken, { draft: drafted, products, refused: refusals });
  if (kept.hopeless.length) return err(notValid(diagnose(refusals)));
  const second = await draftOnce(kept.taken, drafting, machine.disk);
  if (!second.ok) return second;
  return ok(second.value ? done(second.value, kept.leftOut) : { ...NOTHING, leftOut: kept.leftOut });
}

function filesOf(images: readonly ImageSource[]): string[] {
  return images.flatMap((image) => ('file' in image ? [image.file] : []));
}

/** Undefined where there are no photos at all. */
async function draftOnce(
  taken: TakenPhotos,
  { out, name, table, isOfTable, patterns }: Drafting,
  disk: Disk,
) {
  if (!isOfTable && taken.folders.length + taken.loose.length === 0) return ok(undefined);
  const draft = await draftProducts(taken);
  const folders = patterns(taken.folders);
  const answers = { target: '', name, look: 'a', ratios: ['1:1'] };
  const text = manifestText({
    ...answers,
    schema: SCHEMA,
    table,
    folders,
    products: draft.products,
    leftOut: [],
  });
  const loaded = await loadText(disk, out, text);
  if (!loaded.ok) return loaded;
  return ok({ draft, folders, products: loaded.value.manifest.products, diagnose: loaded.value.diagnose });
}

function noTable(shown: string): string {
  return `${shown} is neither a folder of photos nor a table of products: a table (CSV, or JSON that ends in .json) has rows, and a column "key", "id" or "sku".`;
}

const ELSEWHERE = 'Name another file with --out.';

function outside(folder: string, out: string): string {
  const there = path.join(folder, '..', path.basename(out));
  return `${folder} is not in the folder of the manifest, so a copy of that folder would not be whole. Move the photos, or write the manifest beside them: --out ${there}.`;
}

function noPhotos(shown: string, [first]: readonly PassedOver[]): Refusal {
  const why = first ? ` "${first.path}" is passed over: ${first.why}.` : '';
  return refused(
    'no-photos',
    `${shown} and the folders in it hold no file that ends in ${IMAGE_ENDINGS}.${why}`,
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
  const { out, home, counts } = begun;
  const text = manifestText({ ...begun, ...answers, schema: SCHEMA });
  const loaded = await loadText(disk, out, text);
  if (!loaded.ok) return loaded;
  await writeFile(out, text, { flag: 'wx' });
  const beside = path.dirname(out);
  const schema = path.join(beside, SCHEMA);
  const isNew = await copyFile(packageFile('schemas', SCHEMA), schema, constants.COPYFILE_EXCL).then(
    () => true,
    unlessExists,
  );
  const ignored = await addLines(path.join(home, '.gitignore'), ['out/', '.campaign/']);
  return ok({
    files: [out, ...(isNew ? [schema] : []), ...(ignored ? [path.join(beside, '.gitignore')] : [])],
    posts: counts.products * answers.ratios.length,
  });
}

/** What `validate` would make of the manifest: rows of a table without a photo are refused, for example. */
async function loadText(disk: Disk, out: string, text: string): Promise<Result<LoadedManifest, Refusal>> {
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
  return loaded.ok ? loaded : err(notValid(loaded.error));
}

function notValid(problems: readonly Problem[]): Refusal {
  const detail =
    '`campaign validate` would refuse it for what stands above. Mend that, then run init again: nothing was written.';
  const summary = 'The manifest would not be valid';
  return {
    exit: EXIT.invalidManifest,
    problems: [...problems, { code: 'invalid-draft', summary, detail }],
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
