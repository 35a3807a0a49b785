/**
 * Recognises what campaign has made: a result that counts as a photo would be paid for again and again. Results are: everything in the output folder that the manifest names, and in each folder
 * whose `index.json` says so; all of `.campaign/`; and the files that the state knows, wherever they are. A folder that
 * also holds the manifest is no output folder: there only the files that the state knows or the index lists count.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../util/attempt.ts';
import { headOf } from '../util/own-file.ts';
import { isJsonObject, parseJson } from '../util/json.ts';
import { holds, inRealFolder, realOf } from './path-sandbox.ts';

/** Which campaign made it, and why it counts as a result, as words that follow "it". */
export interface Made {
  readonly by: 'this' | 'another';
  readonly why: string;
}

export type OwnOutputs = ReturnType<typeof findOwnOutputs>;

interface Campaign {
  readonly folder: string;
  readonly name: string;
  /** The output folder relative to `folder`; absent where nothing is downloaded. */
  readonly dir?: string | undefined;
  /** Files that the state knows, relative to `folder`. */
  readonly known: readonly string[];
}

export function findOwnOutputs({ folder, name, dir, known }: Campaign) {
  const manifestFolder = realOf(folder);
  const isShared = dir !== undefined && holds(realOf(path.resolve(folder, dir)), manifestFolder);
  const listed = isShared ? filesOfIndex(path.resolve(folder, dir, 'index.json')) : [];
  const results = new Set([...known, ...listed].map((file) => inRealFolder(path.resolve(folder, file))));
  const own = dir === undefined ? undefined : idOf(path.resolve(folder, dir));
  const found = new Map<string, Made | undefined>();

  function look(real: string): Made | undefined {
    if (found.has(real)) return found.get(real);
    const above = path.dirname(real);
    const made = holds(real, manifestFolder) ? undefined : (markOf(real) ?? look(above));
    found.set(real, made);
    return made;
  }

  function markOf(real: string): Made | undefined {
    if (own !== undefined && idOf(real) === own)
      return { by: 'this', why: `lies in the output folder "${dir}"` };
    if (path.basename(real).toLowerCase() === '.campaign')
      return { by: 'this', why: 'lies in `.campaign/`, where campaign keeps its own files' };
    const campaign = campaignOfIndex(path.join(real, 'index.json'));
    if (campaign === undefined) return undefined;
    const shown = path.relative(manifestFolder, real);
    const whose = campaign === name ? '' : ` of the campaign "${campaign}"`;
    return { by: whose ? 'another' : 'this', why: `lies in the output folder "${shown}"${whose}` };
  }

  return {
    /** Undefined for a folder whose files may be photos; links count by their targets. */
    ofFolder: (at: string) => look(realOf(at)),
    ofFile(file: string): Made | undefined {
      const real = realOf(file);
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

/** Identifies a folder, whatever its name: names in another case and links lead to one folder. */
function idOf(folder: string): string | undefined {
  const stats = attempt(() => statSync(folder, { bigint: true }));
  return stats && `${stats.dev}:${stats.ino}`;
}

const HEAD = /^\{\s*"format_version": "1\.\d+",\s*"campaign": "([^"\\]+)",\s*"environment": "/;

function campaignOfIndex(file: string): string | undefined {
  // Most folders have none, and an exception for each would cost more than this look.
  if (!attempt(() => statSync(file, { throwIfNoEntry: false }))) return undefined;
  return HEAD.exec(attempt(() => headOf(file, 'follow')) ?? '')?.[1];
}

function filesOfIndex(file: string): string[] {
  if (campaignOfIndex(file) === undefined) return [];
  const index = parseJson(readFileSync(file, 'utf8'));
  const files = index.ok && isJsonObject(index.value) ? index.value['files'] : undefined;
  const rows: readonly unknown[] = Array.isArray(files) ? files : [];
  return rows.flatMap((row) => (isJsonObject(row) && typeof row['path'] === 'string' ? [row['path']] : []));
}
