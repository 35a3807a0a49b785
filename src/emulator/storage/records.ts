import type { ConceptRecord, MediaConfigRecord, ProductRecord } from '../../service/wire.ts';
import { mediumOf } from '../media-configs/record.ts';
import type { MediaJob } from '../media/record.ts';
import type { UploadRecord } from '../uploads/record.ts';
import type { Change } from './change.ts';

/** Everything that exists now, by id. */
export interface Records {
  readonly uploads: Map<string, UploadRecord>;
  readonly products: Map<string, ProductRecord>;
  readonly concepts: Map<string, ConceptRecord>;
  readonly mediaConfigs: Map<string, MediaConfigRecord>;
  readonly media: Map<string, MediaJob>;
}

export function foldChanges(changes: Iterable<Change>): Records {
  const records: Records = {
    uploads: new Map(),
    products: new Map(),
    concepts: new Map(),
    mediaConfigs: new Map(),
    media: new Map(),
  };
  for (const change of changes) applyChange(records, change);
  return records;
}

export function applyChange(records: Records, change: Change): void {
  if (change.action === 'delete') {
    remove(records, change);
    return;
  }
  switch (change.kind) {
    case 'upload':
      records.uploads.set(change.id, change.record);
      return;
    case 'product':
      records.products.set(change.id, change.record);
      return;
    case 'concept':
      records.concepts.set(change.id, change.record);
      return;
    case 'media-config':
      records.mediaConfigs.set(change.id, change.record);
      for (const order of change.orders) records.media.set(order.id, order);
  }
}

function remove(
  records: Records,
  change: { kind: 'product' | 'concept' | 'media-config'; id: string },
): void {
  switch (change.kind) {
    case 'product':
      records.products.delete(change.id);
      return;
    case 'concept':
      records.concepts.delete(change.id);
      return;
    case 'media-config':
      for (const item of records.mediaConfigs.get(change.id)?.items ?? [])
        records.media.delete(mediumOf(item));
      records.mediaConfigs.delete(change.id);
  }
}
