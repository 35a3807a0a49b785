import { type Check, ok } from '../check.ts';
import type { Context } from '../context.ts';
import { notSeen } from './gap.ts';

/** Where the answer to an upload holds the URL. */
export const uploadUrl: Check<Context> = {
  id: 'upload_url',
  look({ manifest, state }) {
    const { uploadUrl: pointer } = manifest.environment.gaps;
    const upload = [...state.objects.values()].findLast(
      ({ result }) => result && 'url' in result && !('id' in result),
    );
    if (upload?.result && 'url' in upload.result)
      return ok(`found, ${upload.address} is ${upload.result.url}`);
    return pointer === undefined ? notSeen('upload', 'service.upload_url') : ok(`set to ${pointer}`);
  },
};
