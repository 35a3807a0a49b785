import { lstatSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { memberOf, type SourceRef } from '../model/source.ts';
import { attempt } from '../util/attempt.ts';
import type { PathSandbox } from './path-sandbox.ts';
import { listFolder, listGlob, type Listed } from './list-members.ts';
import type { ImageSource } from './manifest.ts';
import type { OwnOutputs } from './own-outputs.ts';
import type { Problems, Why } from '../document/problems.ts';
import { isDangling, isNoFile, isOwnOutput, leaves, linkLeaves, whyClosed } from './path-problems.ts';

export interface ImageScope {
  readonly folder: string;
  readonly sandbox: PathSandbox;
  readonly outputs: OwnOutputs;
  readonly problems: Problems;
}

/**
 * The images that a folder, a file, a glob, an https URL, or a list of these stands for, in order. An image that is
 * named twice counts where it is first, so that `[front.jpg, .]` puts one image before the rest.
 */
export async function listImages(
  written: string | readonly string[],
  { source, base, scope }: { source: SourceRef; base: string; scope: ImageScope },
): Promise<ImageSource[]> {
  const entries = typeof written === 'string' ? [written] : written;
  const images = new Map<string, ImageSource>();
  for (const [index, entry] of entries.entries()) {
    const at = typeof written === 'string' ? source : memberOf(source, index);
    if (entry.includes('${{')) continue;
    const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(entry);
    const listed = isUrl ? checkUrl(entry) : await listPath(entry, base, scope);
    if ('code' in listed) scope.problems.add({ ...listed, source: at });
    else {
      for (const name of listed.filter((one) => !images.has(one)))
        images.set(name, isUrl ? { url: name, source: at } : { file: name, source: at });
    }
  }
  return [...images.values()];
}

/** True for a text that is meant as a glob; further special characters of globs are common in file names. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

function checkUrl(text: string): Listed {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && !url.username && !url.password) return [text];
  const detail =
    url?.username || url?.password
      ? 'A user name or password in an address ends up in logs and in the service. Put the file beside the manifest instead.'
      : 'Images come from https addresses or from files beside the manifest; the service could not fetch this one.';
  return { code: 'invalid-image-url', detail };
}

async function listPath(entry: string, base: string, scope: ImageScope): Promise<Listed> {
  const { folder, sandbox, outputs } = scope;
  const relative = path.posix.isAbsolute(entry) ? entry : path.posix.join(base, entry);
  if (!sandbox.staysInside(relative)) return leaves(entry);
  const file = path.resolve(folder, relative);
  const stat = statOf(file);
  if (!stat)
    return isGlob(entry) ? listGlob(entry, path.resolve(folder, base), scope) : noMatch(entry, file, scope);
  if (!sandbox.leadsInside(file, 'link')) return linkLeaves(entry);
  const made = stat.isDirectory() ? outputs.ofFolder(file) : outputs.ofFile(file, 'link');
  // A single result of another campaign may be chosen by its path.
  if (made?.by === 'this') return isOwnOutput(entry, made.why);
  if (stat.isDirectory()) return listFolder(entry, file, scope);
  return stat.isFile() ? [path.relative(folder, file)] : isNoFile(entry);
}

/** Undefined where nothing can be reached at the path. */
export function statOf(file: string) {
  return attempt(() => statSync(file, { throwIfNoEntry: false }));
}

function noMatch(entry: string, file: string, { problems }: ImageScope): Why {
  if (attempt(() => lstatSync(file).isSymbolicLink())) return isDangling(entry);
  const closed = whyClosed(entry, file);
  if (closed) return closed;
  let gone = file;
  while (!statOf(path.dirname(gone))) gone = path.dirname(gone);
  const part = gone === file ? '' : ` Its folder "${path.basename(gone)}" is missing.`;
  const hint =
    problems.didYouMean(path.basename(gone), () => attempt(() => readdirSync(path.dirname(gone))) ?? []) ||
    ' Paths begin at the folder of the file that names them.';
  return { code: 'no-match', detail: `There is no file or folder "${entry}".${part}${hint}` };
}
