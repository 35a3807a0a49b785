/**
 * A copied manifest that has kept its `name` is the same campaign twice: both would pay for everything, and push each
 * other's files aside. The state records its manifest's file, and as long as that is there with this name, no other file
 * in its folder is the manifest of this campaign and environment.
 */
import path from 'node:path';
import { createProblems } from '../document/problems.ts';
import { readYaml } from '../document/read-yaml.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { EXIT } from '../model/exit.ts';
import { STDIN } from '../model/manifest-file.ts';
import type { Refusal } from '../model/problem.ts';
import type { RunSummary } from '../model/run-summary.ts';
import { isJsonObject } from '../util/json.ts';
import { type Disk, realDisk } from '../util/disk.ts';
import type { Campaign } from './campaign.ts';

type Recorded = Pick<Campaign, 'manifest' | 'workFolder' | 'stateFile' | 'statesBeside'>;

/** A path from the folder of the state, so that a copy of both in another place names its own. */
export function recordedFile({
  manifest: { file },
  workFolder,
}: Pick<Campaign, 'manifest' | 'workFolder'>): string {
  return file === STDIN ? file : path.relative(path.dirname(workFolder), path.resolve(file));
}

/** `runs`: of its own state. */
export async function refuseCopy(
  campaign: Recorded,
  runs: readonly RunSummary[],
): Promise<Refusal | undefined> {
  const { manifest, workFolder, stateFile: file, statesBeside } = campaign;
  if (manifest.file === STDIN) return undefined;
  const home = path.dirname(workFolder);
  const last = runs.at(-1)?.manifest;
  const own = last === undefined ? [] : [{ file, manifest: last, home }];
  for (const state of [...own, ...(await statesBeside())]) {
    if (state.manifest === STDIN) continue;
    const other = path.resolve(state.home, state.manifest);
    if (isBeside(realDisk, manifest.file, other) && declares(realDisk, other, manifest.name))
      return copyOf(manifest, path.relative('', other), path.relative('', state.file));
  }
  return undefined;
}

/** Another file in the same folder; of two names of one file, neither is a copy. */
function isBeside(disk: Disk, file: string, other: string): boolean {
  const id = disk.id(other);
  if (id === undefined || path.resolve(file) === other || disk.id(file) === id) return false;
  return disk.id(path.dirname(path.resolve(file))) === disk.id(path.dirname(other));
}

function declares(disk: Disk, file: string, name: string): boolean {
  const reading = { disk, problems: createProblems(), files: new Map() };
  const document: unknown = readYaml({ path: file, shownAs: file, ref: '' }, reading);
  return isJsonObject(document) && document['name'] === name;
}

function copyOf({ file, name, environment, locate }: Manifest, other: string, state: string): Refusal {
  const position = locate('#/name');
  const detail =
    `${file} and ${other} are both named "${name}", in one folder, and the state ${state} of the environment ` +
    `"${environment.name}" is that of ${other}. If one is a copy of the other, give one of them another \`name:\`; ` +
    `if ${file} is to take its place, remove ${other}. Nothing was sent.`;
  const problem = { code: 'same-campaign', summary: 'Two manifests are one campaign', detail };
  return { exit: EXIT.invalidManifest, problems: [{ ...problem, ...(position && { position }) }] };
}
