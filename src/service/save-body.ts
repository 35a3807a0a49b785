import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { openNewFile } from '../util/new-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { contentTypeOf } from './read-headers.ts';
import { errorCode } from './error-code.ts';
import type { OpenAnswer } from './exchange.ts';
import type { Secrets } from './secrets.ts';

/** Synced. */
export interface DownloadedFile {
  bytes: number;
  /** 64 hex digits. */
  sha256: string;
  contentType?: string;
  /** The answer says where it ends. Otherwise the end of the connection is the end, and a cut cannot be recognised. */
  isEndTold: boolean;
  /** All of a small file, so that nobody has to read it again. */
  content?: Buffer;
}

/** What a download may hold in memory while others wait for their turn to be examined. */
const SMALL_BYTES = 256 * 1024;

export interface SaveFault {
  /** That came before. */
  bytes: number;
  why: 'cut' | 'too-large' | 'disk';
  code?: string | undefined;
}

/** Streams a body into the file at `path`. If the body is cut, what came stays there for the caller to remove. */
export async function saveBody(
  answer: OpenAnswer,
  target: { path: string; maxBytes: number; secrets: Secrets },
): Promise<Result<DownloadedFile, SaveFault>> {
  const hash = createHash('sha256');
  let bytes = 0;
  let small: Buffer[] = [];
  let fault: Omit<SaveFault, 'bytes'> | undefined;

  async function* received(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of answer.stream as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > target.maxBytes) {
          fault = { why: 'too-large' };
          return;
        }
        hash.update(chunk);
        if (bytes <= SMALL_BYTES) small.push(chunk);
        else small = [];
        yield chunk;
      }
    } catch {
      const { error } = await answer.ending.reached;
      fault = { why: 'cut', code: errorCode(error) };
    }
  }

  const diskCode = await writeSynced(target.path, received());
  answer.ending.cut();
  if (diskCode !== undefined) fault = { why: 'disk', code: diskCode };
  if (fault) {
    if (fault.why !== 'cut') await rm(target.path, { force: true }).catch(() => {});
    return err({ ...fault, bytes });
  }
  const { headers } = answer;
  const contentType = contentTypeOf(headers, target.secrets);
  const isEndTold = 'content-length' in headers || 'transfer-encoding' in headers;
  const content = bytes <= SMALL_BYTES ? Buffer.concat(small) : undefined;
  const told = { ...(contentType ? { contentType } : {}), ...(content ? { content } : {}) };
  return ok({ bytes, isEndTold, sha256: hash.digest('hex'), ...told });
}

/** The code of a disk error. */
async function writeSynced(path: string, chunks: AsyncIterable<Buffer>): Promise<string | undefined> {
  try {
    const handle = await openNewFile(path);
    try {
      await writeFile(handle, chunks);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return undefined;
  } catch (error) {
    return errorCode(error) ?? 'EIO';
  }
}
