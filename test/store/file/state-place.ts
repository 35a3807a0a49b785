import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { FatalProblem } from '../../../src/model/problem.ts';
import type { ReadOptions } from '../../../src/store/file/known-log.ts';
import { openToRead } from '../../../src/store/file/open-to-read.ts';
import { openToWrite } from '../../../src/store/file/open-to-write.ts';
import type { WriteOptions } from '../../../src/store/file/write-session.ts';
import type { OpenState, WritableState } from '../../../src/store/store.ts';
import type { Result } from '../../../src/util/result.ts';
import { realClock } from '../../../src/util/clock.ts';
import { NO_WITNESSES } from '../../support/no-witnesses.ts';
import { IDENTITY, LINEAGE } from './sample-log.ts';

/** All that opening for writing needs but the file. */
export const OPTIONS = {
  identity: IDENTITY,
  witnesses: NO_WITNESSES,
  lockTimeoutMs: 0,
  clock: realClock,
  runId: 'run-2',
  command: 'campaign apply',
  newLineage: () => LINEAGE,
};

/** Opens a state in one of the two ways. */
export function openState(
  options: WriteOptions & { readonly mode: 'write' },
): Promise<Result<WritableState, FatalProblem>>;
export function openState(
  options: ReadOptions & { readonly mode: 'read' },
): Promise<Result<OpenState, FatalProblem>>;
export function openState(
  options: (WriteOptions & { readonly mode: 'write' }) | (ReadOptions & { readonly mode: 'read' }),
) {
  return options.mode === 'write' ? openToWrite(options) : openToRead(options);
}

export function write(stateFile: string) {
  return openState({ ...OPTIONS, stateFile, mode: 'write' });
}

export function read(stateFile: string) {
  return openState({ ...OPTIONS, stateFile, mode: 'read' });
}

/** Opens for writing what can be opened; a new log has its file afterwards. */
export async function written(stateFile: string): Promise<WritableState> {
  const opened = await write(stateFile);
  if (!opened.ok) throw new Error(opened.error.detail);
  const unwritable = await opened.value.begin();
  if (unwritable) throw new Error(unwritable.detail);
  return opened.value;
}

/** A fresh folder and the state's name in it. */
export async function makePlace(): Promise<{ folder: string; file: string }> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'campaign-state-'));
  return { folder, file: path.join(folder, 'campaign.stage.state.jsonl') };
}
