/**
 * Where a campaign has no state, two guards look for one that was left behind, because what was paid for must not be bought
 * again: in the folder a state of this service whose manifest is this one or gone, and whose name and environment no manifest
 * there declares; and one of this name, environment and service that git tracks elsewhere, whose manifest is gone.
 */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { EMULATOR } from '../../model/emulator.ts';
import { STDIN } from '../../model/manifest-file.ts';
import { isSameBaseUrl } from '../../util/same-base-url.ts';
import type { StateIdentity } from '../store.ts';
import { type AskGit, repositoryOf, textOf, type Unasked, unasked } from './ask-git.ts';
import { decodeHeader, LONGEST_HEADER, type LogHeader } from './header.ts';
import { loadLog } from './load-log.ts';
import { readLog } from './read-log.ts';
import { openStateFile } from './state-file.ts';
import { statePaths } from './work-folder.ts';

type Named = Pick<StateIdentity, 'campaign' | 'environment'>;

/** The manifests in a folder that declare a name and an environment. */
export type ManifestsIn = (folder: string, named: Named) => readonly string[];

export interface OtherState {
  readonly file: string;
  readonly header: LogHeader;
}

export interface Around {
  /** Each is reason enough against a new state. */
  readonly found: readonly OtherState[];
  readonly warnings: readonly string[];
  /** Where git does not tell which states it tracks. */
  readonly unasked?: Unasked | undefined;
}

interface Looking {
  readonly manifest: string;
  readonly manifestsIn: ManifestsIn;
  readonly git: AskGit;
}

export async function findOthers(
  own: string,
  identity: StateIdentity,
  { manifest, manifestsIn, git }: Looking,
): Promise<Around> {
  if (identity.baseUrl === EMULATOR) return { found: [], warnings: [] };
  const [named, real] = await foldersOf(manifest);
  const beside = [path.dirname(own), named, real];
  const tracked = await statesInGit(real, git);
  const here = await Promise.all([...new Set(beside)].map(statesIn));
  const files = new Set([...here.flat(), ...tracked.files]);
  files.delete(own);
  const states = (await Promise.all([...files].map(headIn))).filter((one) => one !== undefined);
  const isBeside = ({ file }: OtherState) => beside.includes(path.dirname(file));
  const ownersOf = ({ file, header }: OtherState, recorded?: string) =>
    [statePaths(file).home, ...(recorded === undefined ? [] : [path.dirname(recorded)])].flatMap((folder) =>
      manifestsIn(folder, header),
    );
  const found: OtherState[] = [];
  const warnings: string[] = [];
  for (const state of states) {
    const { file, header } = state;
    const isNamesake = header.campaign === identity.campaign && header.environment === identity.environment;
    if (!isSameBaseUrl(header.baseUrl, identity.baseUrl) || !(isBeside(state) || isNamesake)) continue;
    const last = await lastUse(file);
    if (last === 'unused') continue;
    const recorded =
      last?.manifest === undefined ? undefined : path.resolve(statePaths(file).home, last.manifest);
    const others = await withoutSame(ownersOf(state, recorded), manifest);
    // In its folder a state of this very campaign stands in the way, whoever else declares it.
    const isOthers = isNamesake
      ? !isBeside(state) && others.length > 0
      : !last?.isRetired && (ownersOf(state).length > 0 || (await isOtherFile(recorded, manifest)));
    if (isOthers && !isNamesake) continue;
    const copied = states.find(
      (one) =>
        one.header.lineage === header.lineage && !isBeside(one) && one !== state && ownersOf(one).length > 0,
    );
    const why = isOthers
      ? `which ${others[0]} uses`
      : last?.isRetired
        ? 'which was retired'
        : last?.manifest === STDIN
          ? 'whose manifest came on standard input'
          : copied && `a copy of ${copied.file}`;
    if (why === undefined) found.push(state);
    else
      warnings.push(
        `${own} begins a new state. ${file} is that of ${header.campaign}, ${header.environment}, ${why}.`,
      );
  }
  return { found, warnings, unasked: tracked.unasked };
}

/** The pointer elsewhere in the working copy that names this log, where a manifest there uses it. */
export async function findTaker(
  lineage: string,
  own: string,
  { manifest, manifestsIn, git }: Looking,
): Promise<string | undefined> {
  const [, real] = await foldersOf(manifest);
  const { files } = await statesInGit(real, git);
  for (const file of files) {
    const state = path.dirname(file) === path.dirname(own) ? undefined : await headIn(file);
    if (state?.header.lineage === lineage && manifestsIn(path.dirname(file), state.header).length > 0)
      return file;
  }
  return undefined;
}

/** By its own path and behind a link. For a manifest on standard input, `-`, it is the current folder. */
async function foldersOf(manifest: string): Promise<[named: string, real: string]> {
  const real = await fs.realpath(manifest).catch(() => path.resolve(manifest));
  return [path.dirname(path.resolve(manifest)), path.dirname(real)];
}

/** Also as copies and downloads are called: `a.state (1).jsonl`, `a.state.jsonl.bak`. Its first line says whether it is one. */
const STATE_OR_COPY = /^[^.].*\.state\b[^/]*\.jsonl(?:~|\.(?:bak|old|orig|txt))?$/;

async function statesIn(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder).catch(() => []);
  return names
    .filter((name) => STATE_OR_COPY.test(name))
    .sort()
    .map((name) => path.resolve(folder, name));
}

/** What git prints of the states of a repository. */
const LONGEST_LISTING = 1 << 24;

async function statesInGit(folder: string, git: AskGit): Promise<{ files: string[]; unasked?: Unasked }> {
  const repository = repositoryOf(await fs.realpath(folder).catch(() => folder));
  if (!repository) return { files: [] };
  const { root } = repository;
  const args = ['ls-files', '-z', '--', '*.state.jsonl'];
  const { why, text } = await textOf(git, { repository, folder: root, args, most: LONGEST_LISTING });
  if (why !== undefined) return { files: [], unasked: unasked(why, repository) };
  const names = text.split('\0').filter((name) => name !== '');
  return { files: names.map((name) => path.join(root, name)) };
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((file) => fs.realpath(file).catch(() => path.resolve(file))),
  );
  return first === second;
}

async function withoutSame(files: readonly string[], manifest: string): Promise<string[]> {
  const isSame = await Promise.all(files.map((file) => isSameFile(file, manifest)));
  return files.filter((_, at) => !isSame[at]);
}

async function isOtherFile(recorded: string | undefined, manifest: string): Promise<boolean> {
  if (recorded === undefined || (await isSameFile(recorded, manifest))) return false;
  return fs.access(recorded).then(
    () => true,
    () => false,
  );
}

interface LastUse {
  /** As it was recorded. */
  readonly manifest: string;
  /** By the last command that wrote it. */
  readonly isRetired: boolean;
}

/** Undefined where it cannot be read, or is elsewhere. */
async function lastUse(file: string): Promise<LastUse | 'unused' | undefined> {
  const log = await withFile(file, (handle) => loadLog(handle, { file }));
  if (!log?.ok) return undefined;
  const { runs, reading, header } = log.value;
  const last = runs.list().at(-1);
  if (!last) return reading.chain.seq === header?.seq ? 'unused' : undefined;
  const isRetired = last.decided?.first.some(({ decision }) => decision === 'retired') ?? false;
  return { manifest: last.manifest, isRetired };
}

/** What a log belongs to now; undefined for any other file. A damaged log is read as far as possible. */
function headIn(file: string): Promise<OtherState | undefined> {
  return withFile(file, async (handle) => {
    const { size } = await handle.stat();
    const block = Buffer.allocUnsafe(Math.max(LONGEST_HEADER, Math.min(size, LARGEST_BLOCK)));
    const { bytesRead } = await handle.read(block, 0, LONGEST_HEADER, 0);
    const end = block.subarray(0, bytesRead).indexOf('\n');
    const first = decodeHeader(block.subarray(0, end < 0 ? bytesRead : end));
    if (first.type !== 'header') return undefined;
    const bound = (await saysRebound(handle, block)) ? await boundTo(handle) : undefined;
    return { file, header: { ...first.header, ...bound } };
  });
}

async function withFile<T>(file: string, use: (handle: fs.FileHandle) => Promise<T>): Promise<T | undefined> {
  const opened = await openStateFile(file, 'read').catch(() => undefined);
  if (!opened?.ok || !opened.value) return undefined;
  try {
    return await use(opened.value);
  } finally {
    await opened.value.close();
  }
}

const LARGEST_BLOCK = 1 << 20;
const REBOUND = Buffer.from('"rebound"');

/** Whether a log may have a `rebound` event: the search for the word is much faster than reading the log. */
async function saysRebound(handle: fs.FileHandle, block: Buffer): Promise<boolean> {
  for (let at = 0; ; at += block.length - REBOUND.length) {
    const { bytesRead } = await handle.read(block, 0, block.length, at);
    if (block.subarray(0, bytesRead).includes(REBOUND)) return true;
    if (bytesRead < block.length) return false;
  }
}

async function boundTo(handle: fs.FileHandle): Promise<StateIdentity | undefined> {
  let bound: StateIdentity | undefined;
  await readLog(handle, ({ event }) => {
    if (event.type !== 'rebound') return;
    bound = { campaign: event.campaign, environment: event.environment, baseUrl: event.base_url };
  });
  return bound;
}
