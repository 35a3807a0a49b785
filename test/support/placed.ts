import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PNG } from '../cli/small-campaign.ts';

/** What stands beside the manifest: a photo, a text, or something that no campaign should meet. */
export type Placed =
  | 'photo'
  | 'folder'
  | 'pipe'
  | { readonly text: string | Uint8Array; readonly mode?: number }
  | { readonly link: string }
  | { readonly bytes: number };

export type Files = Readonly<Record<string, Placed>>;

/** Puts a manifest and what stands beside it into a folder. */
export async function placeCampaign(
  folder: string,
  manifest: string | Uint8Array,
  files: Files,
): Promise<void> {
  await place(join(folder, 'campaign.yaml'), { text: manifest });
  for (const [name, placed] of Object.entries(files)) await place(join(folder, name), placed);
}

async function place(path: string, placed: Placed): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  if (placed === 'photo') writeFileSync(path, PNG);
  else if (placed === 'folder') mkdirSync(path);
  else if (placed === 'pipe') await promisify(execFile)('mkfifo', [path]);
  else if ('link' in placed) symlinkSync(placed.link, path);
  else if ('bytes' in placed) {
    writeFileSync(path, PNG);
    truncateSync(path, placed.bytes);
  } else {
    writeFileSync(path, placed.text);
    if (placed.mode !== undefined) chmodSync(path, placed.mode);
  }
}
