/** Photos of a plan, put into the storage before anything is sent for them: whoever does the work may have no others. */
import { join } from 'node:path';
import pLimit from 'p-limit';
import { kindHas } from '../model/kinds.ts';
import type { HashedImage } from '../model/payload.ts';
import type { Plan } from '../model/plan.ts';
import type { FatalProblem } from '../model/problem.ts';
import { indexKey, type ObjectStore, photoKey } from '../storage/object-store.ts';
import type { Campaign } from './campaign.ts';
import type { Runtime } from './runtime.ts';
import { putTrial } from './try-storage.ts';

/** How many files are sent at once. */
const AT_ONCE = 4;

/** Also shows, before anything is sent, whether the storage can be used at all. */
export async function putPhotos(
  { clock, emit }: Pick<Runtime, 'clock' | 'emit'>,
  { manifest, store, plan }: { manifest: Campaign['manifest']; store: ObjectStore; plan: Plan },
): Promise<FatalProblem | undefined> {
  const { folder, name, environment } = manifest;
  const looked = await store.head(indexKey(name, environment.name), 1);
  if (!looked.ok) return looked.error;
  const tried = bringsFiles(manifest, plan) ? await putTrial(store) : looked;
  if (!tried.ok) return tried.error;
  const photos = plan.nodes.listed.flatMap((node) =>
    node.kind === 'upload' && node.action !== 'blocked' ? [node.payload] : [],
  );
  const limit = pLimit(AT_ONCE);
  const started = clock.monotonic();
  const total = photos.length;
  let done = 0;
  let problem: FatalProblem | undefined;
  const putOne = async (photo: HashedImage) => {
    if (problem) return;
    problem ??= await put(store, { ...photo, path: join(folder, photo.file) });
    emit({ type: 'reading', what: 'storing photos', done: ++done, total, ms: clock.monotonic() - started });
  };
  await Promise.all(photos.map((photo) => limit(putOne, photo)));
  return problem;
}

/** Results come after everything else, when posts were paid for: a storage that takes none has to be noticed before. */
function bringsFiles({ outputs }: Campaign['manifest'], { nodes }: Plan): boolean {
  return (
    Boolean(outputs) &&
    nodes.some((node) => kindHas(node, 'localFiles', 'writes') && node.action !== 'blocked')
  );
}

async function put(
  store: ObjectStore,
  photo: HashedImage & { readonly path: string },
): Promise<FatalProblem | undefined> {
  const key = photoKey(photo.sha256);
  const there = await store.size(key);
  if (!there.ok) return there.error;
  if (there.value === photo.bytes) return undefined;
  const made = await store.put(key, photo);
  return made.ok ? undefined : made.error;
}
