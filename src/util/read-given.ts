/**
 * Files that a person names for input (the API key's, `--plan`, `--var-file`). Each may be a pipe (`<(pass show key)`),
 * which is waited for only for a time: one without a writer would hold the command, and the lock, for ever.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Clock, realClock } from './clock.ts';
import { count } from './count.ts';
import { err, ok, type Result } from './result.ts';

/** Somebody may have to type a passphrase first. */
const PIPE_SECONDS = 60;

/** A shell's `<(…)` has its writer at once; one that never comes is a mistake. */
const WRITER_SECONDS = 10;

const POLL_MS = 50;

/** More than any plan has, because some writers never end. */
const LARGEST_BYTES = 256 * 1024 ** 2;

/** What pipes have given, or why they gave nothing: several campaigns of one command need it, or one that is reloaded. */
const given = new Map<string, Result<string, string>>();

/** The text of a file or a pipe, for which nobody waits longer than `mostMs`; the error says in words, behind its name, why there is none. */
export async function readGiven(
  file: string,
  clock: Clock = realClock,
  mostMs = Infinity,
): Promise<Result<string, string>> {
  const before = given.get(file);
  if (before !== undefined) return before;
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  try {
    const stats = await handle?.stat();
    if (handle && stats?.isFile())
      return stats.size > LARGEST_BYTES ? err('has more than 256 MiB') : ok(await handle.readFile('utf8'));
    if (!handle && file === '-') return err('is no file here: write /dev/stdin for standard input');
    if (!handle || !stats?.isFIFO()) return err(stats?.isCharacterDevice() ? 'is a device' : UNREADABLE);
    const text = await readPipe(handle, clock, mostMs);
    given.set(file, text);
    return text;
  } catch {
    return err(UNREADABLE);
  } finally {
    await handle?.close();
  }
}

const UNREADABLE = 'cannot be read';

async function readPipe(pipe: FileHandle, clock: Clock, mostMs: number): Promise<Result<string, string>> {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(64 * 1024);
  const start = clock.monotonic();
  let hasWriter = false;
  for (let length = 0; length <= LARGEST_BYTES; ) {
    const read = await readSome(pipe, chunk);
    // A pipe without a writer reports its end, also before the first writer comes.
    if (read === 0 && length > 0) return ok(Buffer.concat(chunks).toString('utf8'));
    if (read) {
      length += read;
      chunks.push(Buffer.from(chunk.subarray(0, read)));
    } else {
      // Where there is a writer that has not written yet, there is no end either.
      hasWriter ||= read === undefined;
      const seconds = Math.min(hasWriter ? PIPE_SECONDS : WRITER_SECONDS, mostMs / 1_000);
      if (clock.monotonic() >= start + seconds * 1_000) {
        const why = hasWriter ? 'did not give its content' : 'nobody opened to write to it';
        return err(`is a pipe that ${why} within ${count(Math.max(1, Math.round(seconds)), 'second')}`);
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
