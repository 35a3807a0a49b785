import { stat } from 'node:fs/promises';
import { sha256Of } from '../files/sha256-of.ts';
import { EXIT } from '../model/exit.ts';
import type { FatalProblem } from '../model/problem.ts';
import { type ObjectStore, outputKey } from '../storage/object-store.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { openObjects } from './open-storage.ts';
import { packageFile } from './package-info.ts';
import type { Runtime } from './runtime.ts';

/** Puts an object into the storage and reads it; gives the name of the storage. */
export async function tryStorage(
  runtime: Pick<Runtime, 'env' | 'openObjects'>,
  { files = '' }: Pick<Campaign, 'files'>,
): Promise<Result<string, FatalProblem>> {
  const opened = await openObjects(runtime, files);
  if (!opened.ok) {
    const { exit, problems } = opened.error;
    return err({ code: 'storage', summary: '', detail: '', ...problems[0], exit });
  }
  const store = opened.value;
  try {
    const trial = await putTrial(store);
    if (!trial.ok) return trial;
    const { key, sha256 } = trial.value;
    const read = await store.read(key);
    if (!read.ok) return read;
    return read.value?.sha256 === sha256 ? ok(store.name) : err(differs(store.name, key));
  } finally {
    store.close();
  }
}

interface Trial {
  readonly key: string;
  readonly sha256: string;
}

/**
 * Shows whether results can be put into the storage, by an object beside them that stays there: it has the same bytes every
 * time, so there is never more than one, and nobody needs the right to remove anything.
 */
export async function putTrial(store: ObjectStore): Promise<Result<Trial, FatalProblem>> {
  // A file that is there anyway, so that nothing is left behind here.
  const path = packageFile('package.json');
  const contentType = 'text/plain';
  const { size: bytes } = await stat(path);
  const sha256 = (await sha256Of(path)) ?? '';
  const key = outputKey({ sha256, contentType });
  const put = await store.put(key, { path, bytes, sha256, contentType });
  return put.ok ? ok({ key, sha256 }) : put;
}

function differs(name: string, key: string): FatalProblem {
  return {
    code: 'storage',
    exit: EXIT.cannotWrite,
    summary: 'The storage does not give back what was put there',
    detail: `${name}: ${key} came back with other bytes. Look at the store and at what is between it and this machine.`,
  };
}
