/** The index of results in a storage: for each file what the index in the output folder says, and which object has its bytes. */
import { join } from 'node:path';
import { sha256Of } from '../files/sha256-of.ts';
import type { StopSignal } from '../engine/stopping.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { FatalProblem } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import { indexKey, type ObjectStore, outputKey } from '../storage/object-store.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { makeIgnoredFolder, removePlainFile } from '../util/new-file.ts';
import { listOutputs, type OutputRow } from '../views/list-outputs.ts';
import { digestIn, digestOf, hasOutputs, indexPieces } from './output-index.ts';

/** Its digest stands after two names of 63 letters at most. */
const HEAD_BYTES = 1_000;

interface Stored {
  readonly objects: ObjectStore;
  readonly manifest: Pick<Manifest, 'name' | 'environment'>;
  readonly workFolder: string;
}

/**
 * Another file of this name is replaced: it is made from the state, which is all that counts. Who stops it meanwhile does not
 * wait for a store in trouble; the next run stores it.
 */
export async function storeIndex(
  stored: Stored,
  state: RunState,
  stop?: Pick<StopSignal, 'onChange'>,
): Promise<FatalProblem | undefined> {
  const stopping = new AbortController();
  const release = stop?.onChange(() => stopping.abort());
  try {
    return await putIndex(stored, state, stopping.signal);
  } finally {
    release?.();
  }
}

async function putIndex(
  { objects, manifest, workFolder }: Stored,
  state: RunState,
  signal: AbortSignal,
): Promise<FatalProblem | undefined> {
  const { name, environment } = manifest;
  const key = indexKey(name, environment.name);
  const digest = digestOf(state);
  const found = await objects.head(key, HEAD_BYTES, signal);
  if (!found.ok) return found.error;
  if (found.value ? digestIn(found.value.toString()) === digest : !hasOutputs(state)) return undefined;
  const head = { format_version: '1.0', campaign: name, environment: environment.name, digest };
  // A worker ends runs of several campaigns at once.
  const path = join(workFolder, `stored-index-${name}.${environment.name}.json`);
  await makeIgnoredFolder(workFolder);
  try {
    const bytes = await writeIndexFile(path, indexPieces(head, withObjects(state)));
    const sha256 = (await sha256Of(path)) ?? '';
    const put = await objects.put(key, { path, bytes, sha256, contentType: 'application/json' }, signal);
    return put.ok ? undefined : put.error;
  } finally {
    await removePlainFile(path);
  }
}

async function writeIndexFile(path: string, pieces: Iterable<string>): Promise<number> {
  let bytes = 0;
  function* counted() {
    for (const piece of pieces) {
      bytes += Buffer.byteLength(piece);
      yield piece;
    }
  }
  await writeFileAtomic(path, counted());
  return bytes;
}

function* withObjects(state: RunState): Iterable<OutputRow & { readonly object: string }> {
  for (const row of listOutputs(state))
    yield { ...row, object: outputKey({ sha256: row.sha256, contentType: row.content_type }) };
}
