import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

const MEGABYTE = 1024 * 1024;
const HEAD = '{"message":"OK","status":"success","data":{"filler":"';
const TAIL = '"}}';

/** 100 MB of JSON, made while it is sent. */
export function hugeJson(): Readable {
  return repeated(Buffer.from(HEAD), { piece: filler(), times: 100, end: Buffer.from(TAIL) });
}

/** 1 GB of JSON as 1 MB of gzip: one member for each MB, all the same. */
export function gzipBomb(): Readable {
  return repeated(gzipSync(HEAD), {
    piece: gzipSync(filler(), { level: 9 }),
    times: 1024,
    end: gzipSync(TAIL),
  });
}

function filler(): Buffer {
  return Buffer.alloc(MEGABYTE, '0');
}

function repeated(
  head: Buffer,
  { piece, times, end }: { piece: Buffer; times: number; end: Buffer },
): Readable {
  function* parts() {
    yield head;
    for (let count = 0; count < times; count += 1) yield piece;
    yield end;
  }
  return Readable.from(parts(), { objectMode: false });
}
