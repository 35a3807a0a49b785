import { createFolderStore } from './folder-store.ts';
import type { ObjectStore, StoragePlace } from './object-store.ts';
import type { S3Surroundings } from './s3-sender.ts';
import { createS3Store } from './s3-store.ts';

export function openObjects(place: StoragePlace, around: S3Surroundings): ObjectStore {
  return place.type === 'folder' ? createFolderStore(place.folder) : createS3Store(place.settings, around);
}
