import * as fs from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../util/atomic-file.ts';
import type { Clock } from '../util/clock.ts';
import { makeIgnoredFolder, readPlainFile, unlessMissing } from '../util/new-file.ts';
import { addDecisions } from './add-decisions.ts';
import type { Decision } from './generated/decisions-document.js';

const POLL_MS = 20;

/**
 * Adds decisions to their file, which appears with the first one. Two who write at once do it in turn, by a kernel lock on
 * a file in `workFolder`. Rejects where the disk refuses, or where something other than a plain file is in the way.
 */
export async function writeDecisions(
  file: string,
  added: readonly Decision[],
  { workFolder, clock }: { readonly workFolder: string; readonly clock: Clock },
): Promise<void> {
  await makeIgnoredFolder(workFolder);
  const { tryLock } = await import('fs-native-extensions');
  const lock = await fs.open(path.join(workFolder, `${path.basename(file)}.lock`), 'a', 0o600);
  try {
    while (!tryLock(lock.fd)) await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
    const text = await readPlainFile(file).catch(unlessMissing);
    await writeFileAtomic(file, addDecisions(text, added));
  } finally {
    await lock.close();
  }
}
