import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { memberOf, type SourceRef } from '../model/source.ts';
import { type Fence, leavesText, linkLeavesText } from './fence.ts';
import { inOrderOfNames, isImageName } from './image-names.ts';
import type { ImageSource } from './manifest.ts';
import type { Problem, Problems } from './problems.ts';

/** Where images are looked for. */
export interface ImageScope {
  /** Absolute path of the manifest's folder. */
  readonly folder: string;
  readonly fence: Fence;
  readonly problems: Problems;
}

/** Image files relative to the manifest's folder, or the reason why there are none. */
type Listed = readonly string[] | Pick<Problem, 'code' | 'detail'>;

/**
 * The images that a folder, a file, a glob, an https URL, or a list of these stands for, in order. What is named twice
 * counts where it stands first, so that `[front.jpg, .]` puts one image before the rest.
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
    else
      for (const name of listed)
        if (!images.has(name))
          images.set(name, isUrl ? { url: name, source: at } : { file: name, source: at });
  }
  return [...images.values()];
}

/** True for a text that a glob is meant by; other special characters are common in file names. */
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
  const { folder, fence } = scope;
  const relative = path.posix.isAbsolute(entry) ? entry : path.posix.join(base, entry);
  if (!fence.staysInside(relative)) return { code: 'outside-folder', detail: leavesText(entry) };
  const file = path.resolve(folder, relative);
  const stat = statOf(file);
  if (!stat) return isGlob(entry) ? await listGlob(entry, base, scope) : noMatch(entry, file, scope);
  if (!fence.leadsInside(file, 'link')) return { code: 'outside-folder', detail: linkLeavesText(entry) };
  if (stat.isDirectory()) return listFolder(entry, file, scope);
  return stat.isFile() ? [path.relative(folder, file)] : notAFile(entry);
}

function listFolder(entry: string, file: string, { folder, fence }: ImageScope): Listed {
  const images: string[] = [];
  const members = membersOf(file);
  if (!members) {
    const detail = `The folder "${entry}" cannot be read. Check its permissions.`;
    return { code: 'cannot-read', detail };
  }
  for (const member of members) {
    if (!isImageName(member.name) || member.isDirectory()) continue;
    const problem = checkMember(path.join(file, member.name), member, fence);
    if (problem) return problem;
    images.push(member.name);
  }
  if (images.length === 0) {
    const below = path.posix.join(entry, '**');
    const detail = `The folder "${entry}" holds no file that ends in .jpg, .jpeg, .png, .webp, .gif, .avif, .heic, .tif or .tiff. Put one there; folders inside it are only looked into for \`${below}\`.`;
    return { code: 'no-images', detail };
  }
  return images.sort(inOrderOfNames).map((name) => path.relative(folder, path.join(file, name)));
}

function membersOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

async function listGlob(entry: string, base: string, { folder, fence }: ImageScope): Promise<Listed> {
  const { glob } = await import('glob');
  const matches = await glob(entry, { cwd: path.resolve(folder, base), withFileTypes: true, nodir: true });
  const images = matches.filter(({ name }) => isImageName(name));
  for (const match of images) {
    const problem = checkMember(match.fullpath(), match, fence);
    if (problem) return problem;
  }
  if (images.length === 0) {
    const [first] = matches;
    const others = first ? ` What matches is no image: "${first.name}", for example.` : '';
    return {
      code: 'no-match',
      detail: `No image matches "${entry}".${others} Check the spelling and the folder.`,
    };
  }
  return images.map((match) => path.relative(folder, match.fullpath())).sort(inOrderOfNames);
}

/** Why something that a folder or a glob names is no image file of this manifest. */
function checkMember(
  file: string,
  member: Pick<Dirent, 'isSymbolicLink' | 'isFile'>,
  fence: Fence,
): Pick<Problem, 'code' | 'detail'> | undefined {
  const isLink = member.isSymbolicLink();
  if (isLink && !statOf(file)) return dangling(path.basename(file));
  if (!fence.leadsInside(file, isLink ? 'link' : 'plain'))
    return { code: 'outside-folder', detail: linkLeavesText(path.basename(file)) };
  const isFile = isLink ? statOf(file)?.isFile() : member.isFile();
  return isFile ? undefined : notAFile(path.basename(file));
}

/** What is at a path, or undefined where nothing can be reached there. */
export function statOf(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function notAFile(entry: string): Pick<Problem, 'code' | 'detail'> {
  const detail = `"${entry}" is a pipe, a socket or a device, and reading it might never end. Put an image file there, or take it out.`;
  return { code: 'not-a-file', detail };
}

function dangling(name: string): Pick<Problem, 'code' | 'detail'> {
  return {
    code: 'no-match',
    detail: `"${name}" is a link, and what it leads to is gone. Put the file there.`,
  };
}

function noMatch(entry: string, file: string, { problems }: ImageScope): Pick<Problem, 'code' | 'detail'> {
  if (isLink(file)) return dangling(entry);
  let gone = file;
  while (!statOf(path.dirname(gone))) gone = path.dirname(gone);
  const part = gone === file ? '' : ` Its folder "${path.basename(gone)}" is missing.`;
  const hint =
    problems.didYouMean(path.basename(gone), () => namesIn(path.dirname(gone))) ||
    ' Paths begin at the folder of the file that names them.';
  return { code: 'no-match', detail: `There is no file or folder "${entry}".${part}${hint}` };
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
