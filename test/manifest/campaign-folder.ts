import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { LoadOptions } from '../../src/manifest/campaign.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import type { ExpandedManifest } from '../../src/manifest/manifest.ts';
import type { Problem } from '../../src/model/problem.ts';
import { realDisk } from '../../src/util/disk.ts';

/** Files beside the manifest: names of photos, or contents by name. */
type Files = readonly string[] | Readonly<Record<string, string | Uint8Array>>;

/** A Sunday, the last day of 2026-w47. */
export const TODAY = '2026-11-22';

/** A manifest in a temporary folder of its own, with the files beside it; gone when the test ends. */
export async function campaignFolder(text: string | Uint8Array, files: Files = []) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'campaign-manifest-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const contents: [string, string | Uint8Array][] = Array.isArray(files)
    ? files.map((file) => [file, 'photo'])
    : Object.entries(files);
  for (const [file, content] of [...contents, ['campaign.yaml', text] as const]) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  }
  const options: LoadOptions = {
    disk: realDisk,
    file: path.join(folder, 'campaign.yaml'),
    today: () => TODAY,
    need: 'nothing',
    variables: new Map(),
    outside: 'refuse',
  };
  return { folder, options };
}

/** The temporary folder, which has another name every time. */
const FOLDER = /\S*campaign-manifest-[^/]*\//;

type Wanted = Partial<LoadOptions> & { files?: Files };

/** Loads a manifest that is expected to be right. */
export async function loaded(text: string, { files = [], ...more }: Wanted = {}): Promise<ExpandedManifest> {
  const { options } = await campaignFolder(text, files);
  const result = await loadManifest({ ...options, ...more });
  if (!result.ok) throw new Error(result.error.map(shown).join('\n'));
  return result.value.manifest;
}

/** The problems of a manifest, one line each: code, place, what the caret marks, detail. */
export async function problemsOf(
  text: string | Uint8Array,
  { files = [], ...more }: Wanted = {},
): Promise<string> {
  const { options } = await campaignFolder(text, files);
  const result = await loadManifest({ ...options, ...more });
  return result.ok ? result.value.warnings.map(shown).join('\n') : result.error.map(shown).join('\n');
}

export function shown({ code, detail = '', position, sourceLine }: Problem): string {
  const text = detail.replace(FOLDER, '');
  if (!position) return `${code}\n  ${text}`;
  const { file, line, column, length = 1 } = position;
  const marked = (sourceLine ?? '').slice(column - 1, column - 1 + length);
  return `${code} ${file.replace(FOLDER, '')}:${line}:${column} «${marked}»\n  ${text}`;
}
