import { changedPhoto } from '../files/check-photo.ts';
import type { Failed } from '../model/facts.ts';
import type { HashedImage } from '../model/payload.ts';
import { FILE_CHANGED } from '../service/error-code.ts';
import { serviceError, type ServiceError } from '../service/service-error.ts';
import { extensionOf } from '../util/media-type.ts';
import { storedUrl } from './links.ts';
import { requestFailed, takenWords } from './request-facts.ts';
import { type StepIo, stepOf } from './step-io.ts';

/** Sends one image content as a stream. A second upload costs nothing, so it is simply repeated. */
export const uploadStep = stepOf('upload', async ({ address, payload }, { io, signal }) => {
  const { file, contentType, sha256 } = payload;
  const photo = await io.files.photo(payload, signal);
  if (!photo.ok) return photo.error;
  const path = photo.value;
  // The file gets a neutral name, because its name on this disk is private.
  const filename = `${sha256.slice(0, 16)}${extensionOf(contentType)}`;
  const answer = await io.client.uploadMedia({ path, filename, contentType, sha256 }, { signal });
  if (!answer.ok)
    return answer.error.code === FILE_CHANGED
      ? { came: 'no-result', sent: 'maybe', problem: changedPhoto(file) }
      : uploadFailed(answer.error, payload, io);
  const url = answer.value;
  // One URL for two contents is refused: otherwise one of two products would show the other's photo.
  const taken = io.names.claim(address, { url });
  if (taken) {
    const detail = takenWords({ ...taken, name: `the URL ${io.links.plain(url)}` });
    return requestFailed(serviceError({ came: 'unusable', request: 'POST /upload-media/', detail }), io);
  }
  io.links.keep(address, [url]);
  return { came: 'result', sent: 'yes', result: storedUrl(url, io.links) };
});

function uploadFailed(error: ServiceError, { file, bytes }: HashedImage, io: StepIo): Failed {
  // Whoever takes a photo at once and hands it on slowly is not overloaded.
  const { load, ...facts } = requestFailed(error, io);
  const isSilent = error.code === 'ETIMEDOUT';
  const failed = { ...facts, ...(load && !isSilent && { load }) };
  if (error.status !== 413) return failed;
  const { detail } = error.problem;
  const size = `"${file}" has ${bytes.toLocaleString('en')} bytes`;
  return { ...failed, problem: { ...failed.problem, summary: TOO_LARGE, detail: `${size}. ${detail}` } };
}

const TOO_LARGE = 'The photo is larger than the service takes';
