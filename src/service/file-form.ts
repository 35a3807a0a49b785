import { randomUUID } from 'node:crypto';

/** A body with one file, whose length is known before it is read. */
export interface FileForm {
  readonly file: FormFile;
  /** Texts around the file. */
  readonly head: string;
  readonly tail: string;
  readonly headers: { readonly 'content-type': string; readonly 'content-length': number };
}

export interface FormFile {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Reads it from the start, as often as it is called. A piece is valid until the next one is asked for. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

export function fileForm(file: FormFile): FileForm {
  const boundary = `campaign-${randomUUID()}`;
  const name = file.filename.replace(/["\r\n]/g, encodeURIComponent);
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${name}"`,
    `Content-Type: ${file.contentType}`,
    '\r\n',
  ].join('\r\n');
  const tail = `\r\n--${boundary}--\r\n`;
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': Buffer.byteLength(head) + file.bytes + Buffer.byteLength(tail),
  };
  return { file, head, tail, headers };
}

/** The file alone. */
export function bareFile(file: FormFile): FileForm {
  const headers = { 'content-type': file.contentType, 'content-length': file.bytes };
  return { file, head: '', tail: '', headers };
}

export async function* formPieces({ file, head, tail }: FileForm): AsyncGenerator<Uint8Array | string> {
  if (head) yield head;
  yield* file.read();
  if (tail) yield tail;
}
