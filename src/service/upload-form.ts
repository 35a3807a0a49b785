import { openAsBlob } from 'node:fs';

/** A file to upload. */
export interface UploadFile {
  path: string;
  /** The name that the service sees. */
  filename: string;
  contentType: string;
}

/**
 * The multipart form of an upload, one part `file`, and the file's size; undefined where the file cannot be opened.
 * The blob is a reference: the file is streamed while it is sent, and a change to it meanwhile ends the upload.
 */
export async function openUploadForm(
  file: UploadFile,
): Promise<{ form: FormData; bytes: number } | undefined> {
  try {
    const blob = await openAsBlob(file.path, { type: file.contentType });
    const form = new FormData();
    form.set('file', blob, file.filename);
    return { form, bytes: blob.size };
  } catch {
    return undefined;
  }
}
