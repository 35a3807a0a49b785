import * as fs from 'node:fs/promises';
import path from 'node:path';
import { loadLog } from './load-log.ts';
import { readMemory } from './lock.ts';
import { divergenceOf, type LogMemory } from './log-memory.ts';
import { traceOf } from './opening.ts';
import { openStateFile } from './state-file.ts';
import type { StateProblem } from './state-problem.ts';
import type { StatePaths } from './work-folder.ts';

/** The same problem of a log that is not the one before, naming that one where a run has kept it (log-writer.ts). */
export async function namingRescued(problem: StateProblem, paths: StatePaths): Promise<StateProblem> {
  if (problem.code !== 'diverged' && problem.code !== 'vanished') return problem;
  const memory = await readMemory(paths.lock);
  const rescued = memory && (await findRescued(paths, memory));
  if (rescued === undefined) return problem;
  return { ...problem, detail: `${problem.detail} The one that belongs here is kept in ${rescued}.` };
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
    const loaded = await loadLog(opened.value, { file, memory });
    const trace = loaded.ok ? traceOf(loaded.value) : undefined;
    return trace !== undefined && divergenceOf(memory, trace) === undefined;
  } finally {
    await opened.value.close();
  }
}
