/** The file of `--heartbeat`: a monitor sees by it when a campaign last ran, and how that ended. */
import { closeSync, constants, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { lookAtPlace, openStream, wordsOf, writeToStream } from '../../util/own-file.ts';

const KIND = { head: /^\{"campaign":(?:null|"[^"]*"),"environment":/, name: 'heartbeat of campaign' };
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Says why it could not be written. It does not wait for anything, because the process may be about to be ended. */
export function writeHeartbeat(path: string, text: string): string | undefined {
  const place = lookAtPlace(path, KIND);
  if (!place.ok) return place.error;
  try {
    if (place.value === 'stream') withFile(openStream(path), (fd) => writeToStream(fd, text));
    else replaceFile(path, text);
    return undefined;
  } catch (error) {
    return wordsOf(error);
  }
}

/** Readers see the old file or the new one. */
function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  // A killed run left it; in a container each run may have the same number.
  if (lstatSync(temporary, { throwIfNoEntry: false })?.isFile()) rmSync(temporary);
  const fd = openSync(temporary, NEW, 0o644);
  try {
    withFile(fd, () => {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
      fsyncSync(fd);
    });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function withFile(fd: number, work: (fd: number) => void): void {
  try {
    work(fd);
  } finally {
    closeSync(fd);
  }
}
