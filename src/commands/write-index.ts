import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import type { RunState } from '../model/run-state.ts';
import { listOutputs } from '../state/list-outputs.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';

/** Writes `index.json` into the output folder, whole or not at all: each file with all that made it. */
export async function writeIndex(
  { folder, name, environment, outputs }: Manifest,
  state: RunState,
): Promise<void> {
  if (!outputs) return;
  const files = listOutputs(state);
  if (!files.length) return;
  const dir = join(folder, outputs.dir);
  await mkdir(dir, { recursive: true });
  const index = { format_version: '1.0', campaign: name, environment: environment.name, files };
  await writeFileAtomic(join(dir, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
}
