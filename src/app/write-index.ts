import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import type { RunState } from '../model/run-state.ts';
import { listOutputs } from '../views/list-outputs.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { jsonText } from '../util/inert-json.ts';
import { isThere } from '../util/new-file.ts';
import { stepAside } from '../files/set-aside.ts';
import { indexHead, otherOwner, ownerIn } from './output-index.ts';

type Named = Pick<Manifest, 'folder' | 'name' | 'environment' | 'outputs'>;

/**
 * Writes `index.json` into the output folder as a whole: each file with everything that it was made from. Another file
 * of that name becomes a backup, as for a download; the index of another campaign or environment stays.
 */
export async function writeIndex(manifest: Named, state: RunState): Promise<void> {
  const { folder, name, environment, outputs } = manifest;
  if (!outputs) return;
  const dir = join(folder, outputs.dir);
  // A clone without the files needs no list of them.
  if (!existsSync(dir) || otherOwner(manifest, state)) return;
  const files = listOutputs(state);
  if (!files.length) return;
  const digest = digestOf(state);
  const index = { format_version: '1.0', campaign: name, environment: environment.name, digest, files };
  const file = join(dir, 'index.json');
  if ((await isThere(file)) && !isIndex(indexHead(file))) await stepAside(file);
  await writeFileAtomic(file, `${jsonText(index, 2)}\n`);
}

/** As `writeIndex`, if the index is missing or lists other files, because a run that was killed wrote none. */
export async function refreshIndex(manifest: Named, state: RunState): Promise<void> {
  const { folder, name, environment, outputs } = manifest;
  if (!outputs) return;
  const head = indexHead(join(folder, outputs.dir, 'index.json'));
  const owner = ownerIn(head);
  const isNamed = owner?.campaign === name && owner.environment === environment.name;
  if (!isNamed || writtenDigest(head) !== digestOf(state)) await writeIndex(manifest, state);
}

/** Identifies a list of files, much faster than the list itself is made. */
function digestOf({ media }: RunState): string {
  const hash = createHash('sha256');
  let lines = '';
  for (const { address, takes } of media.values()) {
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

/** It is in the first lines. */
function writtenDigest(head: string): string | undefined {
  return /^ {2}"digest": "([0-9a-f]{64})",$/m.exec(head)?.[1];
}

/** Of any version of campaign, or of another campaign that had this folder. */
function isIndex(head: string): boolean {
  return /^\{\s*"format_version":\s*"[\d.]+",\s*"campaign":/.test(head);
}
