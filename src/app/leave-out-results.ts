import path from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import { asDownloaded } from '../manifest/own-outputs.ts';
import { inRealFolder } from '../manifest/path-sandbox.ts';
import type { RunState } from '../model/run-state.ts';
import { ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import type { Refusal } from '../model/problem.ts';

/**
 * The campaign without photos that the state knows as its own results, so that nobody pays for these, wherever they
 * were moved. It is rarely read again, because output folders are left out before.
 */
export async function leaveOutResults(
  campaign: Campaign,
  state: RunState,
): Promise<Result<Campaign, Refusal>> {
  const known = resultsElsewhere(campaign.manifest, state);
  if (!known.length || !holdsOneOf(campaign.manifest, known)) return ok(campaign);
  return campaign.reload(known);
}

/** Files of all takes, except for those in an output folder that holds nothing else. */
function resultsElsewhere({ outputs }: Manifest, { media }: RunState): string[] {
  const dir = outputs ? path.posix.normalize(`${outputs.dir}/`) : './';
  const isApart = !dir.startsWith('.') && dir !== '/';
  const files = [...media.values()].flatMap(({ takes }) => takes.flatMap((take) => take.files ?? []));
  return files
    .map((file) => file.path)
    .filter((file) => !(isApart && path.posix.normalize(file).startsWith(dir)));
}

function holdsOneOf({ folder, products, concepts }: Manifest, known: readonly string[]): boolean {
  const results = new Set(known.map((file) => inRealFolder(path.resolve(folder, file))));
  const images = [
    ...products.flatMap((product) => product.images),
    ...concepts.flatMap((concept) => concept.refImages),
  ];
  return images.some((image) => {
    if ('url' in image) return false;
    const file = inRealFolder(path.resolve(folder, image.file));
    return results.has(file) || results.has(asDownloaded(file));
  });
}
