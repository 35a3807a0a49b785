/**
 * Recognises what campaign has made: a result that counts as a photo would be paid for again and again. Results are: everything in the output folder that the manifest names, and in each folder
 * whose `index.json` says so; all of `.campaign/`; and the files that the state knows, wherever they are. A folder that
 * also holds the manifest is no output folder: there only the files that the state knows or the index lists count.
 */
import path from 'node:path';
import type { Disk } from '../util/disk.ts';
import { isJsonObject, parseJson } from '../util/json.ts';
import { holds, inRealFolder, realOf } from './path-sandbox.ts';

/** Which campaign made it, and why it counts as a result, as words that follow "it". */
export interface Made {
  readonly by: 'this' | 'another';
  readonly why: string;
}

export type OwnOutputs = ReturnType<typeof findOwnOutputs>;

interface Campaign {
  readonly disk: Disk;
  readonly folder: string;
  readonly name: string;
  /** The output folder relative to `folder`; absent where nothing is downloaded. */
  readonly dir?: string | undefined;
  /** Files that the state knows, relative to `folder`. */
  readonly known: readonly string[];
}

export function findOwnOutputs({ disk, folder, name, dir, known }: Campaign) {
  const manifestFolder = realOf(disk, folder);
  const isShared = dir !== undefined && holds(realOf(disk, path.resolve(folder, dir)), manifestFolder);
  const listed = isShared ? filesOfIndex(disk, path.resolve(folder, dir, 'index.json')) : [];
  const results = new Set(
    [...known, ...listed].map((file) => inRealFolder(disk, path.resolve(folder, file))),
  );
  const own = dir === undefined ? undefined : disk.id(path.resolve(folder, dir));
  const found = new Map<string, Made | undefined>();

  function look(real: string): Made | undefined {
    if (found.has(real)) return found.get(real);
    const above = path.dirname(real);
    const made = holds(real, manifestFolder) ? undefined : (markOf(real) ?? look(above));
    found.set(real, made);
    return made;
  }

  function markOf(real: string): Made | undefined {
    if (own !== undefined && disk.id(real) === own)
      return { by: 'this', why: `lies in the output folder "${dir}"` };
    if (path.basename(real).toLowerCase() === '.campaign')
      return { by: 'this', why: 'lies in `.campaign/`, where campaign keeps its own files' };
    const campaign = campaignOfIndex(disk, path.join(real, 'index.json'));
    if (campaign === undefined) return undefined;
    const shown = path.relative(manifestFolder, real);
    const whose = campaign === name ? '' : ` of the campaign "${campaign}"`;
    return { by: whose ? 'another' : 'this', why: `lies in the output folder "${shown}"${whose}` };
  }

  return {
    /** Undefined for a folder whose files may be photos; links count by their targets. */
    ofFolder: (at: string) => look(realOf(disk, at)),
    ofFile(file: string, real = realOf(disk, file)): Made | undefined {
      if (results.has(real) || results.has(asDownloaded(real)))
        return { by: 'this', why: 'was downloaded as a result of this campaign' };
      return look(path.dirname(real));
    },
  };
}

/** The path of a result before it was renamed for another one, or before it was whole. */
export function asDownloaded(file: string): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, name.replace(/(?:\.take\d+|\.bak\d+|\.partial)+(?=-\d+$|$)/g, '') + ext);
}

const HEAD = /^\{\s*"format_version": "1\.\d+",\s*"campaign": "([^"\\]+)",\s*"environment": "/;

function campaignOfIndex(disk: Disk, file: string): string | undefined {
  // Most folders have none, and an exception for each would cost more than this look.
  if (disk.stat(file).type === 'nothing') return undefined;
  return HEAD.exec(disk.head(file, 'follow'))?.[1];
}

/** What is larger is no index of ours: 500 bytes are written for a file. */
const LARGEST_INDEX = 2 ** 28;

function filesOfIndex(disk: Disk, file: string): string[] {
  if (campaignOfIndex(disk, file) === undefined) return [];
  const bytes = disk.read(file, LARGEST_INDEX);
  const index = parseJson(Buffer.isBuffer(bytes) ? bytes.toString() : '');
  const files = index.ok && isJsonObject(index.value) ? index.value['files'] : undefined;
  const rows: readonly unknown[] = Array.isArray(files) ? files : [];
  return rows.flatMap((row) => (isJsonObject(row) && typeof row['path'] === 'string' ? [row['path']] : []));
}
