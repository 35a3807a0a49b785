/** States of one campaign and environment in some folders, and the manifests that they were last used with. */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { StateIdentity } from '../store.ts';
import { decodeHeader } from './header.ts';
import { loadLog } from './load-log.ts';
import { openStateFile } from './state-file.ts';
import { statePaths } from './work-folder.ts';

export interface StateBeside {
  readonly file: string;
  /** As it was recorded: relative to `home`. */
  readonly manifest: string;
  readonly home: string;
}

/** Most first lines are shorter; one that is not is of no campaign with such a name. */
const HEAD_BYTES = 4_096;

export async function statesBeside(
  own: string,
  identity: Pick<StateIdentity, 'campaign' | 'environment'>,
  folders: readonly string[],
): Promise<StateBeside[]> {
  const found: StateBeside[] = [];
  for (const folder of new Set(folders)) {
    const names = await fs.readdir(folder).catch(() => []);
    for (const name of names.filter((each) => each.endsWith('.jsonl')).sort()) {
      const file = path.join(folder, name);
      const manifest = file === path.resolve(own) ? undefined : await manifestIn(file, identity);
      if (manifest !== undefined) found.push({ file, manifest, home: statePaths(file).home });
    }
  }
  return found;
}

/** Undefined where it is no state of this campaign, or none that a run has written. */
async function manifestIn(
  file: string,
  { campaign, environment }: Pick<StateIdentity, 'campaign' | 'environment'>,
): Promise<string | undefined> {
  const opened = await openStateFile(file, 'read').catch(() => undefined);
  if (!opened?.ok || !opened.value) return undefined;
  const handle = opened.value;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const end = buffer.subarray(0, bytesRead).indexOf('\n');
    const first = end < 0 ? undefined : decodeHeader(buffer.subarray(0, end));
    if (first?.type !== 'header') return undefined;
    const { header } = first;
    if (header.campaign !== campaign || header.environment !== environment) return undefined;
    const log = await loadLog(handle, { file });
    return log.ok ? log.value.runs.list().at(-1)?.manifest : undefined;
  } finally {
    await handle.close();
  }
}
