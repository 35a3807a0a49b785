/**
 * States whose manifest is gone. Whoever gives a campaign another name together with its manifest, or moves the manifest
 * to another folder, leaves such a state behind, and it knows posts that the manifest asks for.
 */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { RunState } from '../../model/run-state.ts';
import { isThere } from '../../util/new-file.ts';
import { isSameBaseUrl } from '../../util/same-base-url.ts';
import type { StateIdentity } from '../store.ts';
import { type AskGit, repositoryOf, textOf, type Unasked, unasked } from './ask-git.ts';
import { identityIn, type Neighbour, statesIn } from './neighbours.ts';
import { peekLog } from './peek-log.ts';

interface Asking {
  /** Its path. */
  readonly manifest: string;
  readonly identity: StateIdentity;
  /** Whether a state has posts that the manifest asks for. */
  readonly asks: (state: RunState) => boolean;
  readonly git: AskGit;
}

/** What git prints of the states of a repository. */
const LONGEST_LISTING = 1 << 24;

export interface Around {
  readonly found: readonly Neighbour[];
  /** Where git does not tell which states it knows. */
  readonly unasked?: Unasked | undefined;
}

/**
 * Those in the folder of a manifest, in the folders above it and in the ones that are in it or beside it, and those that git
 * knows in the same repository.
 */
export async function findAbandoned({ manifest, identity, asks, git }: Asking): Promise<Around> {
  const own = path.resolve(manifest);
  const found: Neighbour[] = [];
  const tracked = await statesInGit(own, git);
  for (const file of new Set([...(await statesAround(own)), ...tracked.files])) {
    const its = await identityIn(file);
    if (!its || !isSameBaseUrl(its.baseUrl, identity.baseUrl)) continue;
    if (await isClaimed(file, its, own)) continue;
    const state = await peekLog(file);
    if (state && asks(state)) found.push({ file, identity: its, isGone: false, isAbandoned: true });
  }
  return { found, unasked: tracked.unasked };
}

async function statesAround(own: string): Promise<string[]> {
  const folder = path.dirname(own);
  const states: string[] = [];
  for (const each of [
    ...foldersAbove(folder),
    ...(await foldersIn(folder)),
    ...(await foldersIn(path.dirname(folder))),
  ])
    states.push(...(await statesIn(each)).map(({ file }) => file));
  return states;
}

/** And itself. */
function foldersAbove(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(folder, name))
    .sort();
}

async function statesInGit(own: string, git: AskGit): Promise<{ files: string[]; unasked?: Unasked }> {
  const repository = repositoryOf(await fs.realpath(path.dirname(own)).catch(() => path.dirname(own)));
  if (!repository) return { files: [] };
  const { root } = repository;
  const args = ['ls-files', '-z', '--', '*.state.jsonl'];
  const { why, text } = await textOf(git, { repository, folder: root, args, most: LONGEST_LISTING });
  if (why !== undefined) return { files: [], unasked: unasked(why, repository) };
  const names = text.split('\0').filter((name) => name !== '');
  return { files: names.map((name) => path.join(root, name)) };
}

/** Whether the manifest that a state is named after is there, and is another one. Of other names nobody knows that. */
async function isClaimed(file: string, { environment }: StateIdentity, own: string): Promise<boolean> {
  const ending = `.${environment}.state.jsonl`;
  if (!file.endsWith(ending)) return true;
  const manifests = ['.yaml', '.yml'].map((extension) => file.slice(0, -ending.length) + extension);
  const others = manifests.filter((each) => each !== own);
  return (await Promise.all(others.map(isThere))).includes(true);
}
