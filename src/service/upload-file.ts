import { err, ok } from '../util/result.ts';
import type { SendAndRead, CallOptions, Reply } from './ask.ts';
import type { RequestTimeouts } from './connections.ts';
import { localFileError } from './download.ts';
import { FILE_CHANGED } from './error-code.ts';
import { readUploadUrl } from './read-upload-url.ts';
import { openUploadForm, type UploadFile } from './upload-form.ts';

/** Sends a file, streamed, and gives its URL. */
export async function uploadFile(
  ask: SendAndRead,
  file: UploadFile,
  { timeouts, uploadUrl, signal }: CallOptions & { timeouts: RequestTimeouts; uploadUrl: string | undefined },
): Reply<string> {
  const path = '/upload-media/';
  const upload = await openUploadForm(file);
  if (!upload) return err(localFileError(`POST ${path}`, 'ENOENT'));
  const totalMs = timeouts.fileMs + upload.bytes / timeouts.fileBytesPerMs;
  const url = await ask({ method: 'POST', path, form: upload.form, totalMs, signal }, ({ raw }) => {
    if (!upload.isSent()) return err('it came before the whole file was sent');
    const found = readUploadUrl(raw.whole ?? null, uploadUrl);
    return found === undefined ? err('it holds no URL, or several') : ok(found);
  });
  const changed = !url.ok && url.error.code === FILE_CHANGED;
  return changed ? err(localFileError(`POST ${path}`, FILE_CHANGED)) : url;
}
