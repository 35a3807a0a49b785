/** The output folder: whether results have their place in it, and the `index.json` that says where they come from. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { checkWritable } from '../doctor/files/folders.ts';
import { removeEmpty } from '../files/remove-outputs.ts';
import { stepAside } from '../files/set-aside.ts';
import type { Manifest, Outputs } from '../manifest/manifest.ts';
import { EXIT } from '../model/exit.ts';
import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { fileAdvice } from '../util/code-words.ts';
import { jsonText } from '../util/inert-json.ts';
import { isJsonObject, parseJson } from '../util/json.ts';
import type { Disk } from '../util/disk.ts';
import { isThere, removePlainFile } from '../util/new-file.ts';
import { listOutputs } from '../views/list-outputs.ts';

type Named = Pick<Manifest, 'folder' | 'name' | 'environment' | 'outputs'>;

/** Another file of that name becomes a backup; the index of another campaign or environment stays. */
export async function writeIndex(disk: Disk, manifest: Named, state: RunState): Promise<void> {
  const { folder, name, environment, outputs } = manifest;
  if (!outputs) return;
  const dir = join(folder, outputs.dir);
  // A clone without the files needs no list of them.
  if (disk.stat(dir).type === 'nothing' || otherOwner(disk, manifest, state)) return;
  if (!hasOutputs(state)) return;
  const digest = digestOf(state);
  const head = { format_version: '1.0', campaign: name, environment: environment.name, digest };
  const file = join(dir, 'index.json');
  if ((await isThere(file)) && !isIndex(disk.head(file, 'refuse'))) await stepAside(file);
  await writeFileAtomic(file, indexPieces(head, listOutputs(state)));
}

/** In pieces, because a campaign of a million posts has 1.2 GB of it. There is at least one row. */
export function* indexPieces(head: object, rows: Iterable<object>): Iterable<string> {
  let text = jsonText({ ...head, files: [] }, 2).replace(/\]\n\}$/, '');
  let before = '\n    ';
  for (const row of rows) {
    text += before + jsonText(row, 2).replaceAll('\n', '\n    ');
    before = ',\n    ';
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield `${text}\n  ]\n}\n`;
}

/** As `writeIndex`, if the index is missing or lists other files, because a run that was killed wrote none. */
export async function refreshIndex(disk: Disk, manifest: Named, state: RunState): Promise<void> {
  const { folder, name, environment, outputs } = manifest;
  if (!outputs) return;
  const head = disk.head(join(folder, outputs.dir, 'index.json'), 'refuse');
  const owner = ownerIn(head);
  const isNamed = owner?.campaign === name && owner.environment === environment.name;
  if (!isNamed || digestIn(head) !== digestOf(state)) await writeIndex(disk, manifest, state);
}

/** Removes an index of this campaign and environment that lists nothing any more, and the folders that are empty then. */
export async function removeIndex(disk: Disk, manifest: Named, state: RunState): Promise<void> {
  const { folder, name, environment, outputs } = manifest;
  if (!outputs || hasOutputs(state)) return;
  const file = join(folder, outputs.dir, 'index.json');
  const owner = ownerIn(disk.head(file, 'refuse'));
  if (owner?.campaign !== name || owner.environment !== environment.name) return;
  await removePlainFile(file);
  await removeEmpty(dirname(file), folder);
}

export function hasOutputs({ media }: RunState): boolean {
  return [...media.values()].some(({ takes }) => takes.some(({ files }) => files?.length));
}

/** The digest of what an index lists, by the beginning of its text. */
export function digestIn(head: string): string | undefined {
  return /^ {2}"digest": "([0-9a-f]{64})",$/m.exec(head)?.[1];
}

/** The same for a state in the order of its run and for one that was read, which is in another. */
export function digestOf({ media }: RunState): string {
  const hash = createHash('sha256');
  let lines = '';
  const sorted = [...media.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
  for (const { address, takes } of sorted) {
    for (const { n, files } of takes) {
      for (const { path, sha256 } of files ?? [])
        lines += `${address} ${n} of ${takes.length} ${sha256} ${path}\n`;
    }
    if (lines.length < CHUNK_CHARACTERS) continue;
    hash.update(lines);
    lines = '';
  }
  return hash.update(lines).digest('hex');
}

/** Hashing large pieces is ten times as fast as hashing line by line. */
const CHUNK_CHARACTERS = 65_536;

/** Of any version of campaign, or of another campaign that had this folder. */
function isIndex(head: string): boolean {
  return /^\{\s*"format_version":\s*"[\d.]+",\s*"campaign":/.test(head);
}

/** Why the results of a plan could not be put in their place, checked before anything is sent for them. */
export async function outputsRefused(
  disk: Disk,
  manifest: Manifest,
  { nodes, fileMoves }: Plan,
  state: RunState,
): Promise<Refusal | undefined> {
  const { folder, outputs } = manifest;
  const paths = nodes.flatMap((node) =>
    kindHas(node, 'localFiles', 'writes') && node.action !== 'blocked' ? [node.payload.path] : [],
  );
  if (!outputs || !(paths.length || fileMoves.length)) return undefined;
  const owner = otherOwner(disk, manifest, state);
  if (owner) return ownedByOther(manifest, outputs, owner);
  if (!paths.length) return undefined;
  const root = join(folder, outputs.dir);
  for (const place of new Set([root, ...paths.map((path) => dirname(join(folder, path)))])) {
    const { existing, code } = await checkWritable(place);
    if (code !== undefined) return cannotWrite(relative(folder, existing) || '.', code);
  }
  const index = join(root, 'index.json');
  const isFolder = await stat(index).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder ? cannotWrite(relative(folder, index), 'EISDIR') : undefined;
}

function ownedByOther({ locate }: Manifest, { dir }: Outputs, { campaign, environment }: Owner): Refusal {
  const position = locate('#/outputs/dir');
  const problem = {
    code: 'outputs-of-another',
    summary: 'The output folder has the results of another campaign or environment',
    detail:
      `${join(dir, 'index.json')} lists those of the campaign "${campaign}" in the environment "${environment}". ` +
      'Files of this run would push them aside, so nothing was sent. Give every campaign and environment a folder of ' +
      'its own: leave `outputs.dir` out (out/<name>/<environment>), or write a variable into it that each environment ' +
      'sets. If that is the former name of this campaign or environment, move the index.json away: it is written anew.',
    ...(position ? { position } : {}),
  };
  return { exit: EXIT.invalidManifest, problems: [problem] };
}

function cannotWrite(shown: string, code: string): Refusal {
  return refusal(EXIT.cannotWrite, {
    code: 'cannot-write',
    summary: 'The output cannot be written',
    detail: `${WHY[code] ?? `The system says ${code}`}: ${shown}. Results would have no place, so nothing was sent. ${fileAdvice(code) ?? 'Look at the disk, then run again.'}`,
  });
}

const WHY: Readonly<Partial<Record<string, string>>> = {
  EACCES: 'The folder may not be written to',
  EROFS: 'The disk is read-only',
  ENOTDIR: 'It is no folder',
  EISDIR: 'It is a folder, and a file belongs there',
};

interface Owner {
  readonly campaign: string;
  readonly environment: string;
}

/**
 * The campaign and environment that the index names, if it is not that of this state. After a rename it has the old
 * names, but lists posts that the state knows: then it is.
 */
function otherOwner(
  disk: Disk,
  { folder, name, environment, outputs }: Named,
  { media }: Pick<RunState, 'media'>,
): Owner | undefined {
  if (!outputs) return undefined;
  const file = join(folder, outputs.dir, 'index.json');
  const owner = ownerIn(disk.head(file, 'refuse'));
  if (!owner || (owner.campaign === name && owner.environment === environment.name)) return undefined;
  const known = new Set([...media.values()].flatMap(({ takes }) => takes.map(({ result }) => result?.id)));
  return listedMedia(disk, file).some((id) => known.has(id)) ? undefined : owner;
}

function ownerIn(head: string): Owner | undefined {
  const [, campaign = '', environment = ''] =
    /^\{\s*"format_version":\s*"[\d.]+",\s*"campaign":\s*("[^"\\]*"),\s*"environment":\s*("(?:[^"\\]|\\.)*")/.exec(
      head,
    ) ?? [];
  const read = parseJson(`[${campaign},${environment}]`);
  const [name, where] = read.ok && Array.isArray(read.value) ? read.value : [];
  return typeof name === 'string' && typeof where === 'string'
    ? { campaign: name, environment: where }
    : undefined;
}

function listedMedia(disk: Disk, file: string): string[] {
  const bytes = disk.read(file, Infinity);
  const index = parseJson(Buffer.isBuffer(bytes) ? bytes.toString() : '');
  const files = index.ok && isJsonObject(index.value) ? index.value['files'] : undefined;
  const rows: readonly unknown[] = Array.isArray(files) ? files : [];
  return rows.flatMap((row) =>
    isJsonObject(row) && typeof row['media_id'] === 'string' ? [row['media_id']] : [],
  );
}
