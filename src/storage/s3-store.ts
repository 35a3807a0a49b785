/** An S3-compatible store: a few requests, each of which may be repeated without harm. */
import { createHash } from 'node:crypto';
import type { FatalProblem } from '../model/problem.ts';
import { errorCode } from '../service/error-code.ts';
import type { OpenAnswer } from '../service/exchange.ts';
import { watchPace } from '../service/pace.ts';
import { readBody } from '../service/read-body.ts';
import { saveBody } from '../service/save-body.ts';
import { createSecrets } from '../service/secrets.ts';
import { err, ok, type Result } from '../util/result.ts';
import { localFault } from './local-fault.ts';
import type { ObjectStore, ReadObject, S3Settings, SentFile } from './object-store.ts';
import { faultOf, isPage, notKept, unreached } from './s3-fault.ts';
import { answerOf, type S3Request } from './s3-request.ts';
import { ATTEMPTS, createS3Sender, type S3Sender, type S3Surroundings } from './s3-sender.ts';

const NO_LENGTH = 'it does not say how long the object is';

export function createS3Store(settings: S3Settings, around: S3Surroundings): ObjectStore {
  const sender = createS3Sender(settings, around);
  const { store, clock, send, pause, close } = sender;

  function size(key: string, signal?: AbortSignal) {
    return send<number | undefined>({ method: 'HEAD', key, signal }, ({ status, headers, ending }, label) => {
      ending.cut();
      if (status === 404) return ok(undefined);
      const length = headers['content-length'];
      return length === undefined ? err(unreached({ detail: NO_LENGTH }, label, store)) : ok(Number(length));
    });
  }

  /** A store may take a moment to show what it has taken. */
  async function whetherKept(
    key: string,
    { bytes }: SentFile,
    signal: AbortSignal | undefined,
  ): Promise<Result<void, FatalProblem>> {
    let what = '';
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const found = await size(key, signal);
      if (!found.ok) return found;
      if (found.value === bytes) return ok(undefined);
      what = found.value === undefined ? 'it is not there' : `it has ${inBytes(found.value)} there`;
      await pause(attempt, { signal });
    }
    return err(notKept(`${key} was put with ${inBytes(bytes)}, and ${what}`, store));
  }

  return {
    name: store.name,
    async put(key, file, signal) {
      const put = await send<void>({ method: 'PUT', key, file, signal }, async (answer, label) => {
        const { text, fault } = await readBody(answer);
        if (fault) return err(unreached(fault, label, store));
        // Some stores send their head before they are done, and say in the body how it ended.
        const isError = text.includes('<Error>') || isPage(text);
        return isError ? err(faultOf(answerOf(answer, text, clock), label, store)) : ok(undefined);
      });
      return put.ok ? whetherKept(key, file, signal) : put;
    },
    read: (key, path, signal) => readObject(sender, { method: 'GET', key, signal }, path),
    head: (key, bytes, signal) =>
      send<Buffer | undefined>({ method: 'GET', key, signal }, async (answer, label) => {
        if (answer.status === 404) return ok(undefined);
        const begun = await beginning(answer, bytes);
        return begun.ok ? begun : err(unreached({ code: begun.error }, label, store));
      }),
    size: (key) => size(key),
    close,
  };
}

function readObject(
  { send, timeouts, deadlines, store }: S3Sender,
  request: S3Request,
  path: string | undefined,
) {
  return send<ReadObject | undefined>(request, async (answer, label) => {
    if (answer.status === 404) return ok(undefined);
    const length = Number(answer.headers['content-length'] ?? 0);
    answer.ending.allow(timeouts.fileMs + length / timeouts.fileBytesPerMs);
    watchPace(answer, deadlines);
    const read = path === undefined ? await sumBody(answer) : await save(answer, path);
    if (read.ok) return read;
    const { code, isLocal } = read.error;
    const isHere = isLocal && path !== undefined;
    return err(
      isHere ? { problem: localFault(path, code), isPassing: false } : unreached({ code }, label, store),
    );
  });
}

interface ReadFault {
  readonly code: string | undefined;
  readonly isLocal: boolean;
}

/** Nothing is declared a secret here: what is shown of a file is its size. */
const NO_SECRETS = createSecrets([]);

async function save(answer: OpenAnswer, path: string): Promise<Result<ReadObject, ReadFault>> {
  const saved = await saveBody(answer, { path, maxBytes: Infinity, secrets: NO_SECRETS });
  if (!saved.ok) return err({ code: saved.error.code, isLocal: saved.error.why === 'disk' });
  const { bytes, sha256 } = saved.value;
  return ok({ bytes, sha256 });
}

async function sumBody({ stream, ending }: OpenAnswer): Promise<Result<ReadObject, ReadFault>> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch {
    const { error } = await ending.reached;
    return err({ code: errorCode(error), isLocal: false });
  }
  return ok({ bytes, sha256: hash.digest('hex') });
}

/** Without asking for a range: of an empty object, stores answer that in many ways. */
async function beginning(
  { stream, ending }: OpenAnswer,
  most: number,
): Promise<Result<Buffer, string | undefined>> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= most) break;
    }
  } catch {
    const { error } = await ending.reached;
    return err(errorCode(error));
  }
  ending.cut();
  return ok(Buffer.concat(pieces).subarray(0, most));
}

function inBytes(count: number): string {
  return `${count.toLocaleString('en')} bytes`;
}
