/** `campaign init --add`: products for photos that a manifest does not name yet. All else of its text stays as it is. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { addEntries } from '../document/add-entries.ts';
import { otherSpelling } from '../document/read-text.ts';
import type { LoadedManifest } from '../manifest/load.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { LooseProduct, PassedOver, PhotoFolder } from '../manifest/find-photos.ts';
import type { UnnamedPhotos } from '../manifest/passed-over.ts';
import { holds, realOf } from '../manifest/path-sandbox.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { FirstManifest } from '../render/manifest-text.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import type { Disk } from '../util/disk.ts';
import type { Json } from '../util/json.ts';
import { err, ok, type Result } from '../util/result.ts';
import { draftProducts } from './draft-products.ts';
import { givenVariables } from './given-variables.ts';
import { refusedPhotos, whyRefused } from './refused-photos.ts';
import type { Runtime } from './runtime.ts';

export interface AddedPhotos extends Pick<UnnamedPhotos, 'kin' | 'passedOver'> {
  /** Entries of `product_folders`, each one product. */
  readonly folders: readonly string[];
  /** Entries of `products`. */
  readonly products: FirstManifest['products'];
  readonly photos: number;
  readonly leftOut: readonly PassedOver[];
}

/** `folder`: only photos in it. Writes nothing where there is nothing to add. */
export async function addPhotos(
  runtime: Runtime,
  { file, folder }: { readonly file: string; readonly folder: string | undefined },
): Promise<Result<AddedPhotos, Refusal>> {
  const { disk } = runtime;
  const at = folder === undefined ? ok(undefined) : placeIn(disk, file, folder);
  if (!at.ok) return at;
  const target = realOf(disk, path.resolve(file));
  const bytes = await readFile(target).catch(() => undefined);
  if (!bytes) return err(refused('no-manifest', noManifest(file, otherSpelling(disk, file))));
  const before = bytes.toString();
  const loaded = await loadText(runtime, file, before);
  if (!loaded.ok) return loaded;
  const { manifest, unnamed } = loaded.value;
  const found = unnamed(at.value);
  const refusals = await refusedPhotos(runtime, {
    folder: manifest.folder,
    files: [
      ...[...found.folders, ...found.loose].flatMap(({ images }) => images),
      ...found.kin.map(({ image }) => image),
    ],
    mostBytes: manifest.environment.gaps.maxUploadBytes,
  });
  const leftOut = refusals.map((problem) => ({ path: problem.file, why: whyRefused(problem) }));
  const bad = new Set(refusals.map((problem) => problem.file));
  const kin = found.kin.filter(({ image }) => !bad.has(image));
  const told = { leftOut, kin, passedOver: found.passedOver };
  const taken = withoutFiles(found, bad);
  if (taken.folders.length + taken.loose.length === 0)
    return ok({ ...told, folders: [], products: [], photos: 0 });
  // A folder may have a name so much like another's that both would get other keys: as an entry of its own it cannot.
  for (const foldersAs of ['folders', 'products'] as const) {
    const additions = await draftAdditions(taken, { foldersAs, manifest });
    const text = withAdditions(before, additions);
    const after = text === undefined ? undefined : await loadText(runtime, file, text);
    if (text === undefined || !after?.ok || !isGrown(manifest, after.value.manifest, additions)) continue;
    if (!(await readFile(target)).equals(bytes))
      return err(refused('changed', `${file} was changed meanwhile. Nothing was written; run init again.`));
    await writeFileAtomic(target, text, { mode: (await stat(target)).mode & 0o777 });
    return ok({ ...told, ...additions });
  }
  return err(refused('not-added', notAdded(file, taken)));
}

const SUMMARIES = {
  changed: 'The manifest was changed meanwhile',
  'no-folder': 'No such folder',
  'no-manifest': 'No such manifest',
  'not-added': 'Products cannot be added to this manifest',
  'outside-folder': 'Folder is outside of the campaign',
} as const;

function refused(code: keyof typeof SUMMARIES, detail: string): Refusal {
  return refusal(EXIT.usage, { code, summary: SUMMARIES[code], detail });
}

function noManifest(file: string, other: string | undefined): string {
  const advice =
    other === undefined
      ? 'Without --add, init writes a first manifest.'
      : `Add to the other with --out ${other}.`;
  return `${file} cannot be read. ${advice}`;
}

function notAdded(file: string, { folders, loose }: Taken): string {
  const [first] = [...folders.map((folder) => folder.path), ...loose.flatMap(({ images }) => images)];
  return `${file} has its \`products\` in a form to which no text can be added (an alias, for example), so nothing was written. Name the photos there yourself: "${first}", for example.`;
}

function placeIn(disk: Disk, file: string, folder: string): Result<string, Refusal> {
  const home = realOf(disk, path.resolve(path.dirname(file)));
  const at = path.resolve(folder);
  if (disk.stat(at).type !== 'folder')
    return err(refused('no-folder', `${folder} is no folder. Name a folder that holds photos.`));
  if (!holds(home, realOf(disk, at)))
    return err(
      refused('outside-folder', `${folder} is not in the folder of ${file}. Move the photos there.`),
    );
  return ok(path.relative(home, realOf(disk, at)) || '.');
}

async function loadText(
  { disk, env }: Runtime,
  file: string,
  text: string,
): Promise<Result<LoadedManifest, Refusal>> {
  const { loadManifest } = await import('../manifest/load.ts');
  const read: Disk['read'] = (at, most) => (at === file ? Buffer.from(text) : disk.read(at, most));
  const loaded = await loadManifest({
    disk: { ...disk, read },
    file,
    need: 'nothing',
    variables: givenVariables(env, new Map()),
    outside: 'refuse',
    today: () => '2026-01-01',
  });
  return loaded.ok ? loaded : err({ exit: EXIT.invalidManifest, problems: loaded.error });
}

type Additions = Pick<AddedPhotos, 'folders' | 'products' | 'photos'>;

interface Taken {
  readonly folders: readonly (PhotoFolder & { readonly isWhole: boolean })[];
  readonly loose: readonly LooseProduct[];
}

function withoutFiles({ folders, loose }: UnnamedPhotos, bad: ReadonlySet<string>): Taken {
  const sound = <Group extends LooseProduct | PhotoFolder>(group: Group) => {
    const images = group.images.filter((image) => !bad.has(image));
    return images.length ? [{ ...group, images, isWhole: images.length === group.images.length }] : [];
  };
  return { folders: folders.flatMap(sound), loose: loose.flatMap(sound) };
}

/** Folders with all of their photos can be entries of `product_folders`, where no other product has their key. */
async function draftAdditions(
  taken: Taken,
  { foldersAs, manifest }: { readonly foldersAs: 'folders' | 'products'; readonly manifest: Manifest },
): Promise<Additions> {
  const reserved = manifest.products.map(({ key }) => key);
  const { folderKeys } = await draftProducts({ ...taken, loose: [], rows: [] });
  const isPlain = taken.folders.map(({ isWhole }, index) => {
    const key = folderKeys[index] ?? '';
    return foldersAs === 'folders' && isWhole && !reserved.includes(key) && folderKeys.indexOf(key) === index;
  });
  const others = taken.folders.filter((_, index) => !isPlain[index]);
  const loose = [
    ...others.map(({ path: at, images }) => ({ name: path.basename(at), images })),
    ...taken.loose,
  ];
  const ofFolders = folderKeys.filter((_, index) => isPlain[index]);
  const { products } = await draftProducts({ folders: [], loose, rows: [] }, [...reserved, ...ofFolders]);
  return {
    folders: taken.folders.filter((_, index) => isPlain[index]).map((folder) => folder.path),
    products,
    photos: [...taken.folders, ...taken.loose].reduce((sum, { images }) => sum + images.length, 0),
  };
}

/** Whether the manifest has these products more, and all others as they were. */
function isGrown(before: Manifest, after: Manifest, { folders, products }: Additions): boolean {
  const byKey = new Map(after.products.map((product) => [product.key, product]));
  const isSame = before.products.every((product) => isDeepStrictEqual(byKey.get(product.key), product));
  return isSame && after.products.length === before.products.length + folders.length + products.length;
}

function withAdditions(before: string, { folders, products }: Additions): string | undefined {
  const text = folders.length ? addEntries(before, { member: 'product_folders', list: folders }) : before;
  if (text === undefined || products.length === 0) return text;
  const map = products.map(({ key, name = key, images }): [string, Json] => [
    key,
    { ...(name === key ? {} : { name }), images },
  ]);
  return addEntries(text, { member: 'products', map: Object.fromEntries(map) });
}
