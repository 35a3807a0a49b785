/**
 * A copied manifest that has kept its `name` is the same campaign twice: both would pay for everything, and push each
 * other's files aside. The state records its manifest's file, and as long as that is there with this name, no other file
 * in its folder is the manifest of this campaign and environment.
 */
import path from 'node:path';
import { createProblems } from '../document/problems.ts';
import { readYaml } from '../document/read-yaml.ts';
import { ALONE } from '../manifest/environment.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { EXIT } from '../model/exit.ts';
import { STDIN } from '../model/manifest-file.ts';
import type { Refusal } from '../model/problem.ts';
import type { RunSummary } from '../model/run-summary.ts';
import { homeOf } from '../store/open-store.ts';
import type { StateIdentity } from '../store/store.ts';
import { isJsonObject, type JsonObject } from '../util/json.ts';
import { type Disk, realDisk } from '../util/disk.ts';
import type { Campaign } from './campaign.ts';

/** A path from the folder of the state, so that a copy of both in another place names its own. */
export function recordedFile({
  manifest: { file },
  workFolder,
}: Pick<Campaign, 'manifest' | 'workFolder'>): string {
  return file === STDIN ? file : path.relative(path.dirname(workFolder), path.resolve(file));
}

/** `runs`: of its own state. */
export function refuseCopy(
  { manifest, workFolder, stateFile }: Pick<Campaign, 'manifest' | 'workFolder' | 'stateFile'>,
  runs: readonly RunSummary[],
): Refusal | undefined {
  const last = runs.at(-1)?.manifest;
  if (last === undefined || last === STDIN || manifest.file === STDIN) return undefined;
  const other = path.resolve(path.dirname(workFolder), last);
  const isCopy = isBeside(realDisk, manifest.file, other) && documentIn(other)['name'] === manifest.name;
  return isCopy ? copyOf(manifest, path.relative('', other), path.relative('', stateFile)) : undefined;
}

/** Another file in the same folder; of two names of one file, neither is a copy. */
function isBeside(disk: Disk, file: string, other: string): boolean {
  const id = disk.id(other);
  if (id === undefined || path.resolve(file) === other || disk.id(file) === id) return false;
  return disk.id(path.dirname(path.resolve(file))) === disk.id(path.dirname(other));
}

type Named = Pick<StateIdentity, 'campaign' | 'environment'>;

/** The manifests in a folder that declare a name and an environment. */
export function manifestsIn(folder: string, { campaign, environment }: Named): string[] {
  const entries = realDisk.list(folder);
  if ('code' in entries) return [];
  const files = entries
    .filter(({ name }) => /\.ya?ml$/.test(name))
    .map(({ name }) => path.join(folder, name));
  return files.filter((file) => {
    const { name, service } = documentIn(file);
    return name === campaign && environmentsIn(service).includes(environment);
  });
}

/** Of a state: those in its folder, and in that of the manifest that it records. */
export function ownersOf(stateFile: string, named: Named, recorded: string | undefined): string[] {
  const home = homeOf(stateFile);
  const folders = [home, ...(recorded === undefined ? [] : [path.dirname(path.resolve(home, recorded))])];
  return [...new Set(folders)].flatMap((folder) => manifestsIn(folder, named));
}

/** Without one of its own a manifest has that of CAMPAIGN_BASE_URL. */
function environmentsIn(service: unknown): string[] {
  const environments = isJsonObject(service) ? service['environments'] : undefined;
  const names = isJsonObject(environments) ? Object.keys(environments) : [];
  return names.length > 0 ? names : [ALONE];
}

function documentIn(file: string): JsonObject {
  const reading = { disk: realDisk, problems: createProblems(), files: new Map() };
  const document: unknown = readYaml({ path: file, shownAs: file, ref: '' }, reading);
  return isJsonObject(document) ? document : {};
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
