import { access, constants, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { otherSpelling } from '../document/read-text.ts';
import { EXIT } from '../model/exit.ts';
import { STDIN } from '../model/manifest-file.ts';
import { realDisk } from '../util/disk.ts';
import { err, ok, type Result } from '../util/result.ts';
import { refusal, type Refusal } from '../model/problem.ts';

export const DEFAULT_MANIFEST = 'campaign.yaml';

/** The manifests for the arguments: files as they are, folders searched, `./campaign.yaml` without any. */
export async function findManifests(paths: readonly string[]): Promise<Result<readonly string[], Refusal>> {
  const found: string[] = [];
  for (const path of paths.length ? paths : [DEFAULT_MANIFEST]) {
    const kind = path === STDIN ? 'file' : await entryKind(path);
    if (kind === 'nothing') {
      const other = otherSpelling(realDisk, path);
      const advice =
        other === undefined
          ? `. Name a manifest, or run campaign where a ${DEFAULT_MANIFEST} is.`
          : `, but ${other} does. Rename it, or name it.`;
      return err(noManifest('No such manifest', `${path} does not exist${advice}`));
    }
    if (kind === 'closed')
      return err(noManifest('Folder cannot be read', `${path} cannot be read. Check its permissions.`));
    // Anything else is reported when it is read.
    if (kind === 'file') {
      found.push(path);
      continue;
    }
    const below = await manifestsBelow(path, DEFAULT_MANIFEST);
    if (!below.length) {
      const [file] = await manifestsBelow(path, 'campaign.yml');
      const other = file === undefined ? '' : `, but ${file}. Rename it, or name it`;
      const detail = `${path} holds no ${DEFAULT_MANIFEST} and no *.${DEFAULT_MANIFEST}${other}.`;
      return err(noManifest('No manifest in the folder', detail));
    }
    found.push(...below);
  }
  return ok(onceEach(found));
}

/**
 * A manifest that has several names here is one. It goes by a name that is no link, if it has one, as its state lies beside
 * that.
 */
function onceEach(files: readonly string[]): string[] {
  const names = new Map<string, string>();
  for (const file of files) {
    const real = realDisk.real(file) ?? resolve(file);
    const known = names.get(real);
    if (known === undefined || (isLink(known) && !isLink(file))) names.set(real, file);
  }
  return [...names.values()];
}

function isLink(file: string): boolean {
  return realDisk.lstat(file).type === 'link';
}

function noManifest(summary: string, detail: string): Refusal {
  return refusal(EXIT.invalidManifest, { code: 'no-manifest', summary, detail });
}

async function entryKind(path: string): Promise<'file' | 'folder' | 'nothing' | 'closed'> {
  try {
    if (!(await stat(path)).isDirectory()) return 'file';
    await access(path, constants.R_OK | constants.X_OK);
    return 'folder';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'nothing';
    return code === 'EACCES' ? 'closed' : 'file';
  }
}

async function manifestsBelow(folder: string, name: string): Promise<string[]> {
  const { glob } = await import('glob');
  const files = await glob([`**/${name}`, `**/*.${name}`], {
    cwd: folder,
    ignore: ['**/node_modules/**', '**/.campaign/**'],
    posix: true,
  });
  return files.sort().map((file) => join(folder, file));
}
