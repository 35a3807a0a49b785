/** Lists the images of a folder or a glob, in the order of their names; files that campaign has made are left out. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../util/attempt.ts';
import type { PathSandbox } from './path-sandbox.ts';
import { inOrderOfNames, isImageName } from './image-names.ts';
import { matchGlobPaths } from './match-glob-paths.ts';
import type { OwnOutputs } from './own-outputs.ts';
import { isDangling, isNoFile, linkLeaves, whyOddName } from './path-problems.ts';
import type { Why } from '../document/problems.ts';

export type Listed = readonly string[] | Why;

interface Scope {
  readonly folder: string;
  readonly sandbox: PathSandbox;
  readonly outputs: OwnOutputs;
}

export function listFolder(entry: string, file: string, { folder, sandbox, outputs }: Scope): Listed {
  const images: string[] = [];
  const members = membersOf(file);
  const closed = `The folder "${entry}" cannot be read. Check its permissions.`;
  if (!members) return { code: 'cannot-read', detail: closed };
  let passedOver = false;
  for (const member of members) {
    if (!isImageName(member.name) || member.isDirectory()) continue;
    const problem = checkMember(path.join(file, member.name), member, sandbox);
    if (problem) return problem;
    // The folder was named, so results of another campaign in it are meant.
    const made = outputs.ofFile(path.join(file, member.name), entryKind(member));
    if (made?.by === 'this') passedOver = true;
    else images.push(member.name);
  }
  if (images.length === 0) {
    const below = path.posix.join(entry, '**');
    const own = passedOver ? ' What it holds are results, and they are no photos.' : '';
    const detail = `The folder "${entry}" holds no file that ends in .jpg, .jpeg, .png, .webp, .gif, .avif, .heic, .tif or .tiff.${own} Put one there; folders inside it are only looked into for \`${below}\`.`;
    return { code: 'no-images', detail };
  }
  return images.sort(inOrderOfNames).map((name) => path.relative(folder, path.join(file, name)));
}

export function membersOf(folder: string): Dirent[] | undefined {
  return attempt(() => readdirSync(folder, { withFileTypes: true }));
}

export async function listGlob(entry: string, cwd: string, scope: Scope): Promise<Listed> {
  const { folder, sandbox, outputs } = scope;
  const { paths, unread } = await matchGlobPaths(entry, { cwd, wanted: 'files' });
  const closed = unread.find((one) => !outputs.ofFolder(one.folder));
  if (closed) return closed.why;
  const matches = paths.filter(({ name }) => isImageName(name));
  const images = matches.filter(
    (match) => !isPassedOver(match.fullpath(), { kind: entryKind(match), entry, cwd }, outputs),
  );
  for (const match of images) {
    const problem = checkMember(match.fullpath(), match, sandbox);
    if (problem) return problem;
  }
  if (images.length === 0) {
    const [first] = paths;
    const others = first ? ` What matches is no image: "${first.name}", for example.` : '';
    const what = matches.length ? ' What matches are results of campaign, and they are no photos.' : others;
    const detail = `No image matches "${entry}".${what} Check the spelling and the folder.`;
    return { code: 'no-match', detail };
  }
  return images.map((match) => path.relative(folder, match.fullpath())).sort(inOrderOfNames);
}

/** Whether campaign made a match. A pattern into the output folder of another campaign means its files. */
export function isPassedOver(
  file: string,
  { kind, entry, cwd }: { kind: 'link' | 'plain' | 'folder'; entry: string; cwd: string },
  outputs: OwnOutputs,
): boolean {
  const made = kind === 'folder' ? outputs.ofFolder(file) : outputs.ofFile(file, kind);
  if (made?.by !== 'another') return made !== undefined;
  // A link was put there by somebody.
  if (kind === 'link') return false;
  const plain = /^(?:[^*?[{/]*\/)*/.exec(entry)?.[0] ?? '';
  return outputs.ofFolder(path.resolve(cwd, plain))?.by !== 'another';
}

function entryKind(member: Pick<Dirent, 'isSymbolicLink'>): 'link' | 'plain' {
  return member.isSymbolicLink() ? 'link' : 'plain';
}

/** Why a file that a folder or a glob names cannot be used as an image of this manifest. */
type Member = Pick<Dirent, 'isSymbolicLink' | 'isFile'>;

function checkMember(file: string, member: Member, sandbox: PathSandbox): Why | undefined {
  const odd = whyOddName(file);
  if (odd) return odd;
  const name = path.basename(file);
  const target = member.isSymbolicLink() ? attempt(() => statSync(file)) : member;
  if (!target) return isDangling(name);
  if (!sandbox.leadsInside(file, entryKind(member))) return linkLeaves(name);
  return target.isFile() ? undefined : isNoFile(name);
}
