/**
 * `.campaign/known-<hash>.json` beside the manifest: where its states are, one small file for each. So a forgotten
 * `--state` or CAMPAIGN_STATE does not look like a campaign that was never applied.
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../../util/atomic-file.ts';
import { isJsonObject, parseJson } from '../../util/json.ts';
import { readPlainFile } from '../../util/new-file.ts';
import type { StateIdentity } from '../store.ts';
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
  const work = workOf(folder);
  const note = noteOf(work, file);
  const { campaign, environment, baseUrl } = identity;
  const members = { state: path.relative(folder, file), campaign, environment, base_url: baseUrl };
  const content = `${JSON.stringify(members)}\n`;
  try {
    if ((await readPlainFile(note).catch(() => undefined)) === content) return;
    if ((await makeWorkFolder(work)).ok) await writeFileAtomic(note, content, { mode: 0o600 });
  } catch {
    // An error of the disk.
  }
}

/** Removes the note about a state that was renamed. */
export async function forgetState(folder: string, file: string): Promise<void> {
  await fs.rm(noteOf(workOf(folder), file), { force: true });
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

function noteOf(work: string, file: string): string {
  const hash = createHash('sha256').update(path.resolve(file)).digest('hex').slice(0, 16);
  return path.join(work, `known-${hash}.json`);
}
