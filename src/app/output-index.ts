/** The output folder: whether results have their place in it, and the `index.json` that says where they come from. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { checkWritable } from '../doctor/files/folders.ts';
import { folderOfOther } from '../files/output-folder.ts';
import { isOther, type OutputOwner, ownerIn } from '../files/output-owner.ts';
import { outputFolderOf } from '../files/own-place.ts';
import { removeEmpty } from '../files/remove-outputs.ts';
import { stepAside } from '../files/set-aside.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { EXIT } from '../model/exit.ts';
import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { defined } from '../util/defined.ts';
import { fileAdvice } from '../util/code-words.ts';
import { jsonText } from '../util/inert-json.ts';
import type { Disk } from '../util/disk.ts';
import { isThere, removePlainFile } from '../util/new-file.ts';
import { listOutputs } from '../views/list-outputs.ts';

type Named = Pick<Manifest, 'folder' | 'name' | 'environment' | 'outputs'>;

/** What an index is made from. */
export interface Recorded {
  readonly state: RunState;
  /** Of the state; undefined where there is none yet. */
  readonly lineage: string | undefined;
}

/** Another file of that name becomes a backup; the index of another campaign or environment stays. */
export async function writeIndex(disk: Disk, manifest: Named, recorded: Recorded): Promise<void> {
  const { folder, outputs } = manifest;
  if (!outputs) return;
  const dir = resolve(folder, outputs.dir);
  // A clone without the files needs no list of them.
  if (disk.stat(dir).type === 'nothing' || otherOwner(disk, manifest, recorded)) return;
  if (hasOutputs(recorded.state)) await writeWhole(disk, join(dir, 'index.json'), { manifest, recorded });
}

/** Makes the index name this campaign, whose folder it is from then on, unless it does so already. */
export async function claimIndex(disk: Disk, manifest: Named, recorded: Recorded): Promise<void> {
  const { folder, outputs } = manifest;
  if (!outputs || isClaimed(disk, manifest, recorded)) return;
  await writeWhole(disk, resolve(folder, outputs.dir, 'index.json'), { manifest, recorded });
}

/** Whether the index names this campaign, environment and state. */
export function isClaimed(disk: Disk, manifest: Named, recorded: Pick<Recorded, 'lineage'>): boolean {
  const { folder, outputs } = manifest;
  if (!outputs) return false;
  const owner = ownerIn(disk.head(resolve(folder, outputs.dir, 'index.json'), 'refuse'));
  return owner !== undefined && isSameOwner(owner, ownerFor(manifest, recorded));
}

async function writeWhole(
  disk: Disk,
  file: string,
  { manifest, recorded }: { readonly manifest: Named; readonly recorded: Recorded },
): Promise<void> {
  const { campaign, environment, lineage } = ownerFor(manifest, recorded);
  const digest = digestOf(recorded.state);
  const head = { format_version: '1.0', campaign, environment, ...defined({ lineage }), digest };
  if ((await isThere(file)) && !isIndex(disk.head(file, 'refuse'))) await stepAside(file);
  await writeFileAtomic(file, indexPieces(head, listOutputs(recorded.state)));
}

export function ownerFor(
  { name, environment }: Pick<Manifest, 'name' | 'environment'>,
  { lineage }: Pick<Recorded, 'lineage'>,
): OutputOwner {
  return { campaign: name, environment: environment.name, lineage };
}

function isSameOwner(one: OutputOwner, other: OutputOwner): boolean {
  return (
    one.lineage === other.lineage && one.campaign === other.campaign && one.environment === other.environment
  );
}

/** In pieces, because a campaign of a million posts has 1.2 GB of it. */
export function* indexPieces(head: object, rows: Iterable<object>): Iterable<string> {
  let text = jsonText({ ...head, files: [] }, 2).replace(/\]\n\}$/, '');
  let before = '\n    ';
  let isEmpty = true;
  for (const row of rows) {
    text += before + jsonText(row, 2).replaceAll('\n', '\n    ');
    before = ',\n    ';
    isEmpty = false;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield isEmpty ? `${text}]\n}\n` : `${text}\n  ]\n}\n`;
}

/** Whether the index is missing or lists other files, because a run that was killed wrote none. */
export function isIndexOld(disk: Disk, manifest: Named, recorded: Recorded): boolean {
  const { folder, outputs } = manifest;
  if (!outputs || !hasOutputs(recorded.state)) return false;
  const dir = resolve(folder, outputs.dir);
  if (disk.stat(dir).type === 'nothing') return false;
  const head = disk.head(join(dir, 'index.json'), 'refuse');
  return !isClaimed(disk, manifest, recorded) || digestIn(head) !== digestOf(recorded.state);
}

/** Removes an index of this campaign and environment that lists nothing any more, and the folders that are empty then. */
export async function removeIndex(disk: Disk, manifest: Named, recorded: Recorded): Promise<void> {
  const { folder, outputs } = manifest;
  if (!outputs || hasOutputs(recorded.state)) return;
  const file = resolve(folder, outputs.dir, 'index.json');
  const owner = ownerIn(disk.head(file, 'refuse'));
  if (!owner || isOther(owner, ownerFor(manifest, recorded))) return;
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
  recorded: Recorded,
): Promise<Refusal | undefined> {
  const { folder, outputs } = manifest;
  const paths = nodes.flatMap((node) =>
    kindHas(node, 'localFiles', 'writes') && node.action !== 'blocked' ? [node.payload.path] : [],
  );
  if (!outputs || !(paths.length || fileMoves.length)) return undefined;
  const owner = otherOwner(disk, manifest, recorded);
  if (owner) return ownedByOther(manifest, outputs.dir, owner);
  const own = outputFolderOf(manifest, ownerFor(manifest, recorded));
  const folders = new Set([...paths, ...fileMoves.map(({ to }) => to)].map((path) => dirname(path)));
  for (const each of folders) {
    const inTheWay = folderOfOther(own, join(each, 'file'));
    if (inTheWay) return ownedByOther(manifest, relative(folder, inTheWay.folder), inTheWay.owner);
  }
  if (!paths.length) return undefined;
  const root = resolve(folder, outputs.dir);
  for (const place of new Set([root, ...paths.map((path) => dirname(resolve(folder, path)))])) {
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

export function ownedByOther(
  { locate }: Pick<Manifest, 'locate'>,
  dir: string,
  { campaign, environment }: Pick<OutputOwner, 'campaign' | 'environment'>,
): Refusal {
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

/** The campaign and environment that the index names, if it is not that of this state. */
export function otherOwner(
  disk: Disk,
  manifest: Named,
  recorded: Pick<Recorded, 'lineage'>,
): OutputOwner | undefined {
  const { folder, outputs } = manifest;
  if (!outputs) return undefined;
  const owner = ownerIn(disk.head(resolve(folder, outputs.dir, 'index.json'), 'refuse'));
  return owner && isOther(owner, ownerFor(manifest, recorded)) ? owner : undefined;
}
