import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { outputFolderOf } from '../files/own-place.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { RunFiles } from '../storage/run-files.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign, CampaignSource } from './campaign.ts';
import type { Runtime } from './runtime.ts';
import { checkTransport } from './transport.ts';

/** Where the photos and results of a campaign are, if not in the manifest's folder. */
export interface CampaignStorage {
  readonly objects: ObjectStore;
  /** The same, as the steps of a run see it. */
  readonly files: RunFiles;
  readonly workFolder: string;
}

type Named = Pick<Campaign, 'manifest' | 'files' | 'readAt' | 'workFolder'>;
type Opening = Pick<Runtime, 'env' | 'openObjects'>;

/** What `--files`, or else CAMPAIGN_FILES, names; undefined where files are in the manifest's folder. */
export function namedStorage(
  { env }: Pick<Runtime, 'env'>,
  { files }: Pick<CampaignSource, 'files'>,
): string | undefined {
  return files || env['CAMPAIGN_FILES'] || undefined;
}

/** Nothing is sent yet. `objects` has to be closed. */
export async function openStorage(
  runtime: Opening,
  { files, manifest, readAt, workFolder }: Named,
): Promise<Result<CampaignStorage | undefined, Refusal>> {
  if (files === undefined) return ok(undefined);
  const objects = await openObjects(runtime, files);
  if (!objects.ok) return objects;
  const { name, environment } = manifest;
  const { storedFiles } = await import('../storage/stored-files.ts');
  const owner = `${name}.${environment.name}`;
  const place = outputFolderOf(manifest);
  const here = { place, photosReadAt: readAt, workFolder, owner };
  return ok({ objects: objects.value, files: storedFiles(objects.value, here), workFolder });
}

interface RunStorage extends CampaignStorage {
  /** Removes what it had begun to download. */
  release(): Promise<void>;
}

/** For a run that another process has planned, perhaps on another machine: it has nothing in the manifest's folder. */
export async function storageOfRun(
  objects: ObjectStore,
  run: Pick<Named['manifest'], 'folder' | 'outputs' | 'outside' | 'name' | 'environment'>,
  { workFolder, id }: { readonly workFolder: string; readonly id: string },
): Promise<RunStorage> {
  const { storedFiles } = await import('../storage/stored-files.ts');
  const owner = `${run.name}.${run.environment.name}.${id}`;
  const release = () => rm(join(workFolder, 'files', owner), { recursive: true, force: true });
  const files = storedFiles(objects, { place: outputFolderOf(run), photosReadAt: 0, workFolder, owner });
  return { objects, files, workFolder, release };
}

/** Whether both URLs name one storage, as seen from here. */
export async function isSameStorage(
  { env }: Pick<Runtime, 'env'>,
  ...urls: readonly [string, string]
): Promise<boolean> {
  const { readStorageUrl } = await import('../storage/storage-url.ts');
  const [one, other] = urls.map((url) => readStorageUrl(url, env));
  return Boolean(one?.ok && other?.ok && JSON.stringify(one.value) === JSON.stringify(other.value));
}

/** Its code is loaded only where there is a storage. */
export async function openObjects(
  { env, openObjects: open }: Opening,
  files: string,
): Promise<Result<ObjectStore, Refusal>> {
  const { readStorageUrl } = await import('../storage/storage-url.ts');
  const place = readStorageUrl(files, env);
  if (!place.ok) return err(refusal(place.error.exit, place.error));
  const { value } = place;
  const unsafe = value.type === 's3' && checkTransport({ baseUrl: value.settings.endpoint.href }, env);
  return unsafe ? err(unsafe) : ok(await open(value));
}
