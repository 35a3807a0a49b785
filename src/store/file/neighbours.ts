/**
 * Other states of a campaign. `.campaign/known-<hash>.json` beside the manifest names where its states are, one small
 * file for each. So a forgotten `--state` or CAMPAIGN_STATE does not look like a campaign that was never applied.
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { EMULATOR } from '../../model/emulator.ts';
import { writeFileAtomic } from '../../util/atomic-file.ts';
import { isJsonObject, parseJson } from '../../util/json.ts';
import { isThere, readPlainFile } from '../../util/new-file.ts';
import { isSameBaseUrl } from '../../util/same-base-url.ts';
import type { StateIdentity } from '../store.ts';
import { decodeHeader, LONGEST_HEADER } from './header.ts';
import { readLog } from './read-log.ts';
import { openStateFile } from './state-file.ts';
import { makeWorkFolder } from './work-folder.ts';

/** A state that this machine has written for a manifest in the folder. */
export interface KnownState {
  readonly file: string;
  /** What it belonged to at that time. */
  readonly identity: StateIdentity;
}

const NAME = /^known-[0-9a-f]{16}\.json$/;

/** Notes where a state is. Never fails: without the note only this one check is weaker. */
export async function noteState(folder: string, { file, identity }: KnownState): Promise<void> {
  const note = noteOf(folder, file);
  const { campaign, environment, baseUrl } = identity;
  const members = { state: path.relative(folder, file), campaign, environment, base_url: baseUrl };
  const content = `${JSON.stringify(members)}\n`;
  try {
    if ((await readPlainFile(note).catch(() => undefined)) === content) return;
    if ((await makeWorkFolder(workOf(folder))).ok) await writeFileAtomic(note, content, { mode: 0o600 });
  } catch {
    // An error of the disk.
  }
}

export async function forgetState(folder: string, file: string): Promise<void> {
  await fs.rm(noteOf(folder, file), { force: true });
}

/** The notes in a folder; a note that cannot be read is ignored. */
export async function knownStates(folder: string): Promise<KnownState[]> {
  const work = workOf(folder);
  const names = await fs.readdir(work).catch(() => []);
  const notes = names.filter((name) => NAME.test(name)).sort();
  const read = await Promise.all(
    notes.map(async (name) => {
      const json = parseJson(await readPlainFile(path.join(work, name)).catch(() => ''));
      return json.ok ? knownOf(folder, json.value) : undefined;
    }),
  );
  return read.filter((one) => one !== undefined);
}

function knownOf(folder: string, value: unknown): KnownState | undefined {
  if (!isJsonObject(value)) return undefined;
  const { state, campaign, environment, base_url: baseUrl } = value;
  if (typeof state !== 'string' || typeof campaign !== 'string') return undefined;
  if (typeof environment !== 'string' || typeof baseUrl !== 'string') return undefined;
  return { file: path.resolve(folder, state), identity: { campaign, environment, baseUrl } };
}

function workOf(folder: string): string {
  return path.join(path.resolve(folder), '.campaign');
}

function noteOf(folder: string, file: string): string {
  const hash = createHash('sha256').update(path.resolve(file)).digest('hex').slice(0, 16);
  return path.join(workOf(folder), `known-${hash}.json`);
}

/** A state of the same campaign at the same service at another path. */
export interface Neighbour extends KnownState {
  /** There is only a note about it: the file is gone. */
  readonly isGone: boolean;
  /** Its campaign may have another name, or its manifest another folder (abandoned.ts). */
  readonly isAbandoned?: true;
}

/**
 * States of a campaign at a service, whatever their environment: those in the folders, and those that the notes in
 * their `.campaign/` name. States of the emulator are left out, because they cost nothing.
 */
export async function findNeighbours(
  file: string,
  { campaign, baseUrl }: StateIdentity,
  folders: readonly string[],
): Promise<Neighbour[]> {
  if (baseUrl === EMULATOR) return [];
  const found = new Map<string, Neighbour>();
  for (const folder of folders) {
    for (const { file: name, identity: noted } of [
      ...(await statesIn(folder)),
      ...(await knownStates(folder)),
    ]) {
      if (name === path.resolve(file) || found.has(name)) continue;
      // The file itself decides, because it may have been bound to something else since.
      const identity = (await identityIn(name)) ?? noted;
      if (identity?.campaign === campaign && isSameBaseUrl(identity.baseUrl, baseUrl))
        found.set(name, { file: name, identity, isGone: !(await isThere(name)) });
    }
  }
  return [...found.values()].sort((a, b) => Number(a.isGone) - Number(b.isGone));
}

/** Also as copies and downloads are called: `a.state (1).jsonl`, `a.state.jsonl.bak`. Its first line says whether it is one. */
const STATE_OR_COPY = /^[^.].*\.state\b[^/]*\.jsonl(?:~|\.(?:bak|old|orig|txt))?$/;

export async function statesIn(folder: string) {
  const names = await fs.readdir(folder).catch(() => []);
  const states = names.filter((name) => STATE_OR_COPY.test(name)).sort();
  return states.map((name) => ({ file: path.resolve(folder, name), identity: undefined }));
}

/** What a log belongs to now; undefined for any other file. A damaged log is read as far as possible. */
export async function identityIn(file: string): Promise<StateIdentity | undefined> {
  const opened = await openStateFile(file, 'read').catch(() => undefined);
  if (!opened?.ok || !opened.value) return undefined;
  const handle = opened.value;
  try {
    const { size } = await handle.stat();
    const block = Buffer.allocUnsafe(Math.max(LONGEST_HEADER, Math.min(size, LARGEST_BLOCK)));
    const { bytesRead } = await handle.read(block, 0, LONGEST_HEADER, 0);
    const end = block.subarray(0, bytesRead).indexOf('\n');
    const first = decodeHeader(block.subarray(0, end < 0 ? bytesRead : end));
    if (first.type !== 'header') return undefined;
    return (await saysRebound(handle, block)) ? await boundTo(handle, first.header) : first.header;
  } finally {
    await handle.close();
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

async function boundTo(handle: fs.FileHandle, header: StateIdentity): Promise<StateIdentity> {
  let bound = header;
  await readLog(handle, ({ event }) => {
    if (event.type !== 'rebound') return;
    bound = { campaign: event.campaign, environment: event.environment, baseUrl: event.base_url };
  });
  return bound;
}
