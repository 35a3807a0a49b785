/** The index of results in a storage: for each file what the index in the output folder says, and which object has its bytes. */
import { join } from 'node:path';
import { sha256Of } from '../files/sha256-of.ts';
import type { StopSignal } from '../engine/stopping.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { FatalProblem } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import { indexKey, type ObjectStore, outputKey } from '../storage/object-store.ts';
import { isLater, type KnownHead } from '../store/known-head.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { isJsonObject, parseJson } from '../util/json.ts';
import { makeIgnoredFolder, removePlainFile } from '../util/new-file.ts';
import { ok, type Result } from '../util/result.ts';
import { listOutputs, type OutputRow } from '../views/list-outputs.ts';
import { digestIn, digestOf, hasOutputs, indexPieces } from './output-index.ts';

/** Its digest and the head of the log stand after two names of 63 letters at most. */
const HEAD_BYTES = 2_000;

interface Stored {
  readonly objects: ObjectStore;
  readonly manifest: Pick<Manifest, 'name' | 'environment'>;
  readonly workFolder: string;
  /** The newest record of the log; absent where it cannot come back older without that being noticed. */
  readonly head?: KnownHead | undefined;
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
  { objects, manifest, workFolder, head: log }: Stored,
  state: RunState,
  signal: AbortSignal,
): Promise<FatalProblem | undefined> {
  const { name, environment } = manifest;
  const key = indexKey(name, environment.name);
  const digest = digestOf(state);
  const found = await objects.head(key, HEAD_BYTES, signal);
  if (!found.ok) return found.error;
  const text = found.value?.toString();
  const isListed = text === undefined ? !hasOutputs(state) : digestIn(text) === digest;
  if (isListed && !hasMoved(log, text)) return undefined;
  const named = { format_version: '1.0', campaign: name, environment: environment.name, digest };
  // Whoever has seen more has said so.
  const head = { ...named, ...(log && { log: headJson(laterOf(log, headIn(text ?? ''))) }) };
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

/** The newest record that the index names of a log in a database; undefined where it names none. */
export async function storedHead(
  objects: ObjectStore,
  { name, environment }: Stored['manifest'],
): Promise<Result<KnownHead | undefined, FatalProblem>> {
  const found = await objects.head(indexKey(name, environment.name), HEAD_BYTES);
  return found.ok ? ok(found.value && headIn(found.value.toString())) : found;
}

/** The end of a run is recorded after its index is stored, so a head that is one record behind has not moved. */
function hasMoved(head: KnownHead | undefined, index = ''): boolean {
  const stored = headIn(index);
  if (!head || stored?.lineage !== head.lineage || stored.boundAt !== head.boundAt) return head !== undefined;
  return stored.last.seq + 1 < head.last.seq;
}

function laterOf(head: KnownHead, stored: KnownHead | undefined): KnownHead {
  return stored?.lineage === head.lineage && isLater(stored, head) ? stored : head;
}

function headJson({ lineage, last: { seq, crc }, boundAt }: KnownHead) {
  return { lineage, seq, last: crc.toString(16).padStart(8, '0'), ...(boundAt && { bound_at: boundAt }) };
}

/** By the beginning of the text of an index. */
function headIn(text: string): KnownHead | undefined {
  const json = parseJson(/^ {2}"log": (\{[^{}]*\}),$/m.exec(text)?.[1] ?? '');
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const { lineage, seq, last, bound_at: boundAt } = json.value;
  if (typeof lineage !== 'string' || typeof seq !== 'number' || typeof last !== 'string') return undefined;
  const crc = Number.parseInt(last, 16);
  return { lineage, last: { seq, crc }, boundAt: typeof boundAt === 'string' ? boundAt : '' };
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
