import * as fs from 'node:fs/promises';
import path from 'node:path';
import { loadLog } from './load-log.ts';
import type { LogMemory } from './log-memory.ts';
import { divergenceFrom } from './opening.ts';
import { openStateFile } from './state-file.ts';
import type { FatalProblem } from '../../model/problem.ts';
import type { StatePaths } from './work-folder.ts';

/** The same problem, naming a log that goes on from what is remembered, where a run has kept one (log-writer.ts). */
export async function namingRescued(
  problem: FatalProblem,
  paths: StatePaths,
  memory: LogMemory | undefined,
): Promise<FatalProblem> {
  const rescued = memory && (await findRescued(paths, memory));
  if (rescued === undefined) return problem;
  return { ...problem, detail: `${problem.detail} A log that goes on from there is kept in ${rescued}.` };
}

async function findRescued({ work, replaced }: StatePaths, memory: LogMemory): Promise<string | undefined> {
  const prefix = path.basename(replaced(''));
  const names = await fs.readdir(work);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const file = path.join(work, name);
    if (await goesOn(file, memory)) return file;
  }
  return undefined;
}

async function goesOn(file: string, memory: LogMemory): Promise<boolean> {
  const opened = await openStateFile(file, 'read');
  if (!opened.ok || !opened.value) return false;
  try {
    const loaded = await loadLog(opened.value, { file, memories: [memory] });
    return loaded.ok && loaded.value.header !== undefined && !divergenceFrom(loaded.value, memory);
  } finally {
    await opened.value.close();
  }
}
