/**
 * The file that holds the API key. It may be a pipe (`<(pass show visuals)`): what its writer writes is waited for, but
 * not for ever, as a pipe that nobody writes to would otherwise hold the command until somebody kills it.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Clock } from '../util/clock.ts';
import { err, ok, type Result } from '../util/result.ts';

/** How long a pipe is waited for, in seconds: somebody may have to type a passphrase first. */
export const PIPE_SECONDS = 60;

/** How often a pipe is looked at, in milliseconds. */
const POLL_MS = 50;

/** Far more than any key has: a device that gives bytes for ever is none. */
const LARGEST_BYTES = 65_536;

/** What stands in the file without white space around it; the error says in words why there is no key in it. */
export async function readKeyFile(file: string, clock: Clock): Promise<Result<string, string>> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  try {
    const bytes = handle && (await readAll(handle, clock));
    if (!bytes?.ok) return err(bytes?.error ?? UNREADABLE);
    const text = bytes.value.toString('utf8').trim();
    return text === '' ? err('is empty') : ok(text);
  } catch {
    return err(UNREADABLE);
  } finally {
    await handle?.close();
  }
}

const UNREADABLE = 'cannot be read';

async function readAll(handle: FileHandle, clock: Clock): Promise<Result<Buffer, string>> {
  const buffer = Buffer.alloc(LARGEST_BYTES + 1);
  // Without a writer a pipe says that it has ended, also before the first one comes.
  const mayBegin = (await handle.stat()).isFIFO();
  const end = clock.monotonic() + PIPE_SECONDS * 1_000;
  for (let length = 0; length < buffer.length; ) {
    const read = await readSome(handle, buffer.subarray(length));
    if (read === 0 && (length > 0 || !mayBegin)) return ok(buffer.subarray(0, length));
    length += read ?? 0;
    if (read) continue;
    if (clock.monotonic() >= end) return err(`is a pipe that gave no key within ${PIPE_SECONDS} seconds`);
    await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
  }
  return err(`has more than ${LARGEST_BYTES} bytes, and so is no key`);
}

/** Undefined where nothing is there yet, but may come. */
async function readSome(handle: FileHandle, into: Buffer): Promise<number | undefined> {
  try {
    return (await handle.read(into, 0, into.length, null)).bytesRead;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}
