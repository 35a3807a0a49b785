import type { RunState } from '../../model/run-state.ts';
import { loadLog } from './load-log.ts';
import { openStateFile } from './state-file.ts';

/**
 * What a log says, without asking whether it is the one that counts: for completion at a shell, where nothing is done
 * with it, and for logs of another name. Undefined where there is no log that can be read.
 */
export async function peekLog(file: string): Promise<RunState | undefined> {
  const opened = await openStateFile(file, 'read');
  if (!opened.ok || !opened.value) return undefined;
  try {
    const log = await loadLog(opened.value, { file });
    return log.ok ? log.value.state : undefined;
  } finally {
    await opened.value.close();
  }
}
