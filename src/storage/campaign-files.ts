/** The files of a run that has no storage: photos and results are in the manifest's folder, on this machine. */
import { join } from 'node:path';
import { checkPhoto } from '../files/check-photo.ts';
import { nameFiles } from '../files/name-files.ts';
import { makeOutputFolder } from '../files/output-folder.ts';
import { type OutputFolder, placeOf } from '../files/own-place.ts';
import { syncFolder } from '../util/atomic-file.ts';
import { err, ok } from '../util/result.ts';
import { shareRuns } from '../util/share-runs.ts';
import type { RunFiles } from './run-files.ts';

interface CampaignFolder {
  /** Of results and, by its `folder`, of photos. */
  readonly place: OutputFolder;
  /** When reading the photos for the plan began, in epoch milliseconds. */
  readonly photosReadAt: number;
}

export function campaignFiles({ place, photosReadAt }: CampaignFolder): RunFiles {
  const sync = shareRuns(syncFolder);
  return {
    async photo(planned) {
      const path = join(place.folder, planned.file);
      const problem = await checkPhoto(path, planned, photosReadAt);
      return problem ? err({ came: 'no-result', sent: 'no', problem }) : ok(path);
    },
    room: (path) => ({ path: placeOf(place, path), shown: path }),
    makeRoom: (path) => makeOutputFolder(place, path),
    keep: async (parts, payload) => ok(await nameFiles(parts, payload, { ...place, sync })),
  };
}
