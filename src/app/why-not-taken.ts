/** Whether a worker can take part in a run of the database, and if not, why: it says so once, and looks again. */
import { readFile } from 'node:fs/promises';
import type { Problem } from '../model/problem.ts';
import type { OpenRun } from '../store/shared-run.ts';
import { err, ok, type Result } from '../util/result.ts';
import { usableApiKeyFrom } from './api-key.ts';
import { isSameStorage } from './open-storage.ts';
import { accountIdOf, type RunSpec, specFrom, whyNotRead } from './run-spec.ts';
import type { Runtime } from './runtime.ts';

/** The API key with which this worker carries out its share of the run. */
export async function keyForRun(
  runtime: Runtime,
  open: OpenRun,
  storage: string | undefined,
): Promise<Result<string, Problem>> {
  const other = whyNotRead(open);
  if (other) return err(other);
  const spec = specFrom(open.spec);
  const run = `Run ${open.id} (${spec.name}, ${spec.environment.name})`;
  const key = await usableApiKeyFrom(runtime, spec.environment);
  if (!key.ok) return err(leaving(key.error.problems[0], run));
  if (accountIdOf(spec.environment, key.value.value) !== open.account)
    return err({
      code: 'run-of-other-key',
      summary: 'A run was begun with another API key',
      detail:
        `${run} is left to workers that have the key with which it was begun, and the one in ${key.value.source} is another. ` +
        'The key is in the variable that api_key_env of the manifest names, or in CAMPAIGN_API_KEY.',
    });
  const elsewhere = await whyNoFiles(runtime, spec, storage);
  return elsewhere === undefined
    ? ok(key.value.value)
    : err({
        code: 'run-of-other-files',
        summary: 'The photos and results of a run are elsewhere',
        detail: `${run} is left to workers that have its files: ${elsewhere}`,
      });
}

function leaving(problem: Problem | undefined, run: string): Problem {
  const { code = 'no-api-key', summary = 'No API key', detail = '' } = problem ?? {};
  return { code, summary, detail: `${run} is left to workers that have its API key. ${detail}` };
}

/** It has access to the storage of the run; or the manifest's folder is here: the file is in it that names the log. */
async function whyNoFiles(
  runtime: Runtime,
  { pointer, lineage, files }: RunSpec,
  storage: string | undefined,
): Promise<string | undefined> {
  if (files !== undefined) {
    if (storage === undefined)
      return `they are in ${files}, and this worker has no storage. Start it with --files, or with CAMPAIGN_FILES.`;
    if (await isSameStorage(runtime, files, storage)) return undefined;
    return `they are in ${files}, and the storage of this worker is ${storage}.`;
  }
  const text = await readFile(pointer, 'utf8').catch(() => '');
  if (text.includes(`"lineage":${JSON.stringify(lineage)}`)) return undefined;
  return (
    `they are in the manifest's folder, where ${pointer} names the log of the run, and this worker does not find that file. ` +
    'Share the folder at the same path, or give --files to apply and to the workers.'
  );
}
