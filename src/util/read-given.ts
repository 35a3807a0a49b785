/**
 * Files that a person names for input (the API key's, `--plan`, `--var-file`). Each may be a pipe (`<(pass show key)`),
 * which is waited for only for a time: one without a writer would hold the command, and the lock, for ever.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Clock, realClock } from './clock.ts';
import { err, ok, type Result } from './result.ts';

/** Somebody may have to type a passphrase first. */
const PIPE_SECONDS = 60;

/** A shell's `<(…)` has its writer at once; one that never comes is a mistake. */
const WRITER_SECONDS = 10;

const POLL_MS = 50;

/** More than any plan has, because some writers never end. */
const LARGEST_PIPE_BYTES = 256 * 1024 ** 2;

/** What pipes have given: they give it once, and several campaigns of one command need it, or one that is reloaded. */
const given = new Map<string, string>();

/** The text of a file or a pipe; the error says in words, behind its name, why there is none. */
export async function readGiven(file: string, clock: Clock = realClock): Promise<Result<string, string>> {
  const before = given.get(file);
  if (before !== undefined) return ok(before);
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  try {
    const stats = await handle?.stat();
    if (handle && stats?.isFile()) return ok(await handle.readFile('utf8'));
    if (!handle || !stats?.isFIFO()) return err(stats?.isCharacterDevice() ? 'is a device' : UNREADABLE);
    const text = await readPipe(handle, clock);
    if (text.ok) given.set(file, text.value);
    return text;
  } catch {
    return err(UNREADABLE);
  } finally {
    await handle?.close();
  }
}

const UNREADABLE = 'cannot be read';

async function readPipe(pipe: FileHandle, clock: Clock): Promise<Result<string, string>> {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(64 * 1024);
  const start = clock.monotonic();
  let hasWriter = false;
  for (let length = 0; length <= LARGEST_PIPE_BYTES; ) {
    const read = await readSome(pipe, chunk);
    // A pipe without a writer reports its end, also before the first writer comes.
    if (read === 0 && length > 0) return ok(Buffer.concat(chunks).toString('utf8'));
    if (read) {
      length += read;
      chunks.push(Buffer.from(chunk.subarray(0, read)));
    } else {
      // Where there is a writer that has not written yet, there is no end either.
      hasWriter ||= read === undefined;
      const seconds = hasWriter ? PIPE_SECONDS : WRITER_SECONDS;
      if (clock.monotonic() >= start + seconds * 1_000) {
        const why = hasWriter ? 'did not give its content' : 'nobody opened to write to it';
        return err(`is a pipe that ${why} within ${seconds} seconds`);
      }
      await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
    }
  }
  return err('is a pipe that does not end');
}

/** Undefined where nothing has come yet. */
async function readSome(pipe: FileHandle, into: Buffer): Promise<number | undefined> {
  try {
    return (await pipe.read(into, 0, into.length, null)).bytesRead;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}
