import { type FatalProblem, refusal, type Refusal } from '../model/problem.ts';
import type { KnownHead } from '../store/known-head.ts';
import type { Campaign } from './campaign.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type CampaignStorage, openStorage } from './open-storage.ts';
import type { Runtime } from './runtime.ts';

export interface StoredHeads {
  /** The newest record of the log that the storage knows. */
  readonly heads: readonly KnownHead[];
  /** Why that is not known: then nothing may be paid. */
  readonly unread?: FatalProblem | undefined;
}

/** Asked before the log is read, because others may add to both. A state in a file is compared with git instead. */
export async function storedHeads(
  { manifest, store }: Pick<Campaign, 'manifest' | 'store'>,
  storage: Pick<CampaignStorage, 'objects'> | undefined,
): Promise<StoredHeads> {
  if (!storage || store.inFile) return { heads: [] };
  const { storedHead } = await import('./stored-index.ts');
  const found = await storedHead(storage.objects, manifest);
  if (!found.ok) return { heads: [], unread: found.error };
  return { heads: found.value ? [found.value] : [] };
}

/** Of a campaign whose storage is not open yet. */
export async function headsInStorage(
  runtime: Pick<Runtime, 'env' | 'openObjects'>,
  campaign: Campaign,
): Promise<Result<readonly KnownHead[], Refusal>> {
  const storage = campaign.store.inFile ? ok(undefined) : await openStorage(runtime, campaign);
  if (!storage.ok) return storage;
  try {
    const { heads, unread } = await storedHeads(campaign, storage.value);
    return unread ? err(refusal(unread.exit, unread)) : ok(heads);
  } finally {
    storage.value?.objects.close();
  }
}
