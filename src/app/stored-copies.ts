/** Files that are in a storage and not here, for commands that only show them; what was read once is kept in `.campaign/stored/`. */
import type { CopyCache } from '../files/copy-cache.ts';
import { NOT_SHOWN, type NotShown } from '../files/read-picture.ts';
import type { FatalProblem, Problem } from '../model/problem.ts';
import { type ObjectStore, outputKey, photoKey } from '../storage/object-store.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { PictureSource } from '../views/report-pictures.ts';
import type { Campaign } from './campaign.ts';
import { fileProblem } from './disk-problem.ts';
import { openObjects } from './open-storage.ts';
import type { Runtime } from './runtime.ts';

export interface StoredCopies {
  /** Why the storage does not have it either; its content is not read. */
  whyNot(source: PictureSource): Promise<NotShown | undefined>;
  /** The path of a copy with exactly the recorded content. */
  copyOf(source: PictureSource): Promise<Result<string, NotShown>>;
  close(): Promise<void>;
}

type Around = Pick<Runtime, 'clock' | 'env' | 'emit' | 'openObjects'>;

interface Opened {
  readonly objects: ObjectStore;
  readonly cache: CopyCache;
}

/** After a failure of the storage itself, nothing is asked of it for so long: a page would take hours otherwise. */
const REST_MS = 30_000;

/** Undefined without a storage, which is opened when it is first asked. What is wrong with it becomes a warning. */
export function storedCopies(
  runtime: Around,
  { files, workFolder }: Pick<Campaign, 'files' | 'workFolder'>,
): StoredCopies | undefined {
  if (files === undefined) return undefined;
  const { ask, close } = createAsking(runtime, { url: files, workFolder });
  const copying = new Map<string, Promise<Result<string, NotShown>>>();
  return {
    async whyNot(source) {
      const found = await ask(({ objects }) => objects.size(keyOf(source)));
      if (!found.ok) return found.error;
      if (found.value === undefined) return NOT_SHOWN.notStored;
      const isSame = source.from === 'photo' || source.bytes === found.value;
      return isSame ? undefined : NOT_SHOWN.storedDiffers;
    },
    copyOf(source) {
      const { sha256 } = source;
      const known = copying.get(sha256);
      if (known) return known;
      const made = copy(source, ask).finally(() => copying.delete(sha256));
      copying.set(sha256, made);
      return made;
    },
    close,
  };
}

async function copy(source: PictureSource, ask: Ask): Promise<Result<string, NotShown>> {
  const read = await ask(async ({ objects, cache }) => {
    const known = await cache.find(source.sha256);
    if (known !== undefined) return ok(known);
    const part = cache.part();
    try {
      const came = await objects.read(keyOf(source), part);
      if (!came.ok || !came.value) return came.ok ? ok(undefined) : came;
      return ok(came.value.sha256 === source.sha256 ? await cache.keep(part, came.value) : null);
    } finally {
      await cache.drop(part);
    }
  });
  if (!read.ok) return read;
  if (read.value === undefined) return err(NOT_SHOWN.notStored);
  return read.value === null ? err(NOT_SHOWN.storedDiffers) : ok(read.value);
}

type Ask = <T>(work: (opened: Opened) => Promise<Result<T, FatalProblem>>) => Promise<Result<T, NotShown>>;

function createAsking(
  runtime: Around,
  { url, workFolder }: { readonly url: string; readonly workFolder: string },
) {
  const { clock, emit } = runtime;
  let opening: ReturnType<typeof open> | undefined;
  let restsUntil = Number.NEGATIVE_INFINITY;

  function fail({ summary, detail }: Problem): Result<never, NotShown> {
    if (clock.monotonic() >= restsUntil) emit({ type: 'warning', summary, ...(detail && { detail }) });
    restsUntil = clock.monotonic() + REST_MS;
    return err(NOT_SHOWN.noStorage);
  }

  async function open(): Promise<Result<Opened, Problem>> {
    const objects = await openObjects(runtime, url);
    if (!objects.ok) return err(objects.error.problems[0] ?? UNUSABLE);
    const { openCopyCache } = await import('../files/copy-cache.ts');
    return ok({ objects: objects.value, cache: await openCopyCache({ workFolder, clock }) });
  }

  /** What a full disk or the storage refuses is told; anything else is a bug. */
  const ask: Ask = async (work) => {
    if (clock.monotonic() < restsUntil) return err(NOT_SHOWN.noStorage);
    try {
      const opened = await (opening ??= open());
      const came = opened.ok ? await work(opened.value) : opened;
      return came.ok ? came : fail(came.error);
    } catch (error) {
      opening = undefined;
      const problem = fileProblem(error);
      if (!problem) throw error;
      return fail(problem);
    }
  };

  const close = async (): Promise<void> => {
    const opened = await opening?.catch(() => undefined);
    if (opened?.ok) opened.value.objects.close();
  };
  return { ask, close };
}

function keyOf(source: PictureSource): string {
  return source.from === 'photo' ? photoKey(source.sha256) : outputKey(source);
}

const UNUSABLE: Problem = { summary: 'The storage cannot be used' };
