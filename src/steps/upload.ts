import { join } from 'node:path';
import type { Job, Step } from '../model/step.ts';
import { FILE_CHANGED } from '../service/error-code.ts';
import { serviceError, type ServiceError } from '../service/service-error.ts';
import { extensionOf } from '../util/media-type.ts';
import { err, ok, type Result } from '../util/result.ts';
import { changedPhoto, checkPhoto } from '../files/check-photo.ts';
import { requestFailed, takenWords } from './request-facts.ts';
import { storedUrl } from './links.ts';
import type { StepIo } from './step-io.ts';

/** Sends one image content as a stream. A second upload costs nothing, so it is simply repeated. */
export function uploadStep(io: StepIo): Step {
  return {
    async run(job, signal) {
      if (job.node.kind !== 'upload') throw new Error(`not an upload: ${job.node.address}`);
      const { file, contentType, sha256 } = job.node.payload;
      const path = join(io.folder, file);
      const changed = await checkPhoto(path, job.node.payload, io.photosReadAt);
      if (changed) return { came: 'no-result', sent: 'no', problem: changed };
      // The file gets a neutral name, because its name on this disk is private.
      const filename = `${sha256.slice(0, 16)}${extensionOf(contentType)}`;
      const answer = await io.client.uploadMedia({ path, filename, contentType, sha256 }, { signal });
      const sent = answer.ok ? unlessTaken(answer.value, job, io) : answer;
      if (sent.ok) {
        io.links.keep(job.node.address, [sent.value]);
        return { came: 'result', sent: 'yes', result: storedUrl(sent.value, io.links) };
      }
      if (sent.error.code === FILE_CHANGED)
        return { came: 'no-result', sent: 'maybe', problem: changedPhoto(file) };
      return requestFailed(sent.error, io);
    },
  };
}

/** One URL for two contents is refused: otherwise one of two products would show the other's photo. */
function unlessTaken(url: string, { node }: Job, { names, links }: StepIo): Result<string, ServiceError> {
  const taken = names.claim(node.address, { url });
  if (!taken) return ok(url);
  const request = 'POST /upload-media/';
  const detail = takenWords({ ...taken, name: `the URL ${links.plain(url)}` });
  return err(serviceError({ came: 'unusable', request, detail }));
}
