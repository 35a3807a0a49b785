import { join } from 'node:path';
import type { Step } from '../model/step.ts';
import { extensionOf } from '../util/media-type.ts';
import { FILE_CHANGED } from '../service/exchange.ts';
import { changedPhoto, checkPhoto } from './check-photo.ts';
import { repeatableFailed } from './classify-error.ts';
import { storedUrl } from './links.ts';
import type { StepIo } from './step-io.ts';

/** Sends one image content, streamed. A second upload costs nothing, so it is simply repeated. */
export function uploadStep(io: StepIo): Step {
  return {
    onInterrupted: 'repeat',
    async run(job, signal) {
      if (job.node.kind !== 'upload') throw new Error(`not an upload: ${job.node.address}`);
      const { file, contentType, sha256 } = job.node.payload;
      const path = join(io.folder, file);
      const changed = await checkPhoto(path, job.node.payload, io.photosReadAt);
      if (changed) return { type: 'failed', problem: changed };
      // The name is ours: what a photo is called on this disk is nobody else's business.
      const filename = `${sha256.slice(0, 16)}${extensionOf(contentType)}`;
      const answer = await io.client.uploadMedia({ path, filename, contentType, sha256 }, { signal });
      if (answer.ok) {
        io.links.keep(job.node.address, [answer.value]);
        return { type: 'done', result: storedUrl(answer.value, io.links) };
      }
      if (answer.error.code === FILE_CHANGED) return { type: 'failed', problem: changedPhoto(file) };
      return repeatableFailed(answer.error, job, io);
    },
  };
}
