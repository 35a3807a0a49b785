/** Finds out whose results an output folder has, by the `index.json` in it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import type { RunState } from '../model/run-state.ts';
import { isJsonObject, parseJson } from '../util/json.ts';
import { headOf } from '../util/own-file.ts';

type Named = Pick<Manifest, 'folder' | 'name' | 'environment' | 'outputs'>;

export interface Owner {
  readonly campaign: string;
  readonly environment: string;
}

/**
 * The campaign and environment that the index names, if it is not that of this state. After a rename it has the old
 * names, but lists posts that the state knows: then it is.
 */
export function otherOwner(
  { folder, name, environment, outputs }: Named,
  { media }: Pick<RunState, 'media'>,
): Owner | undefined {
  if (!outputs) return undefined;
  const file = join(folder, outputs.dir, 'index.json');
  const owner = ownerIn(indexHead(file));
  if (!owner || (owner.campaign === name && owner.environment === environment.name)) return undefined;
  const known = new Set([...media.values()].flatMap(({ takes }) => takes.map(({ result }) => result?.id)));
  return listedMedia(file).some((id) => known.has(id)) ? undefined : owner;
}

/** The beginning of the file; empty for one that cannot be read. */
export function indexHead(file: string): string {
  try {
    return headOf(file);
  } catch {
    return '';
  }
}

/** From an index of any version of campaign. */
export function ownerIn(head: string): Owner | undefined {
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

function listedMedia(file: string): string[] {
  const index = parseJson(readFileSync(file, 'utf8'));
  const files = index.ok && isJsonObject(index.value) ? index.value['files'] : undefined;
  const rows: readonly unknown[] = Array.isArray(files) ? files : [];
  return rows.flatMap((row) =>
    isJsonObject(row) && typeof row['media_id'] === 'string' ? [row['media_id']] : [],
  );
}
