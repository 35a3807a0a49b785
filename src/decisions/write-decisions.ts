import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../util/atomic-file.ts';
import type { Clock } from '../util/clock.ts';
import { checkPlace, makeIgnoredFolder, readPlainFile, unlessMissing } from '../util/new-file.ts';

const POLL_MS = 20;
/** Writing takes milliseconds; whoever holds the lock for longer was stopped. */
const LONGEST_MS = 10_000;

const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Changes the text of the file of decisions, which appears with the first one. Two who write at once do it in turn, by a
 * kernel lock on a file in `workFolder`. Rejects where the disk refuses, or where something other than a plain file is in
 * the way. `change` gets undefined where there is no file, and returns that where nothing is to be written.
 */
export async function writeDecisions(
  file: string,
  change: (text: string | undefined) => string | undefined,
  { workFolder, clock }: { readonly workFolder: string; readonly clock: Clock },
): Promise<void> {
  await makeIgnoredFolder(workFolder);
  const { tryLock } = await import('fs-native-extensions');
  const lockFile = path.join(workFolder, `${path.basename(file)}.lock`);
  await checkPlace(lockFile);
  const lock = await fs.open(lockFile, FLAGS, 0o600);
  try {
    const start = clock.monotonic();
    while (!tryLock(lock.fd)) {
      if (clock.monotonic() - start > LONGEST_MS) throw held(lockFile);
      await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
    }
    const text = await readPlainFile(file).catch(unlessMissing);
    const changed = change(text);
    if (changed !== undefined && changed !== text) await writeFileAtomic(file, changed);
  } finally {
    await lock.close();
  }
}

function held(lockFile: string): NodeJS.ErrnoException {
  const message = `${lockFile} is held by another command that writes decisions and does not end`;
  return Object.assign(new Error(message), { code: 'EBUSY', syscall: 'lock' });
}
