import { stat } from 'node:fs/promises';
import { sha256Of } from '../files/sha256-of.ts';
import { EXIT } from '../model/exit.ts';
import type { FatalProblem } from '../model/problem.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { openObjects } from './open-storage.ts';
import { packageFile } from './package-info.ts';
import type { Runtime } from './runtime.ts';

/** Puts an object into the storage, reads it and removes it again; gives the name of the storage. */
export async function tryStorage(
  runtime: Pick<Runtime, 'env' | 'openObjects' | 'newId'>,
  { files = '' }: Pick<Campaign, 'files'>,
): Promise<Result<string, FatalProblem>> {
  const opened = await openObjects(runtime, files);
  if (!opened.ok) {
    const { exit, problems } = opened.error;
    return err({ code: 'storage', summary: '', detail: '', ...problems[0], exit });
  }
  const store = opened.value;
  try {
    // A file that is there anyway, so that nothing is left behind here.
    const path = packageFile('package.json');
    const { size: bytes } = await stat(path);
    const sha256 = (await sha256Of(path)) ?? '';
    const key = `probe/${runtime.newId()}`;
    const put = await store.put(key, { path, bytes, sha256, contentType: 'application/json' });
    if (!put.ok) return put;
    const read = await store.read(key);
    const removed = await store.remove(key);
    if (!read.ok) return read;
    if (!removed.ok) return removed;
    return read.value?.sha256 === sha256 ? ok(store.name) : err(differs(store.name, key));
  } finally {
    store.close();
  }
}

function differs(name: string, key: string): FatalProblem {
  return {
    code: 'storage',
    exit: EXIT.cannotWrite,
    summary: 'The storage does not give back what was put there',
    detail: `${name}: ${key} came back with other bytes. Look at the store and at what is between it and this machine.`,
  };
}
