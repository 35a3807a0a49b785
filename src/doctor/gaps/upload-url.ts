import { type Check, ok } from '../check.ts';
import { plainUrl } from '../../util/plain-url.ts';
import type { Context } from '../context.ts';
import { hasKey } from '../../model/kinds.ts';
import { notSeen } from './gap.ts';

export const uploadUrl: Check<Context> = {
  id: 'upload_url',
  look({ manifest, state }) {
    const { uploadUrl: pointer } = manifest.environment.gaps;
    const upload = [...state.objects.values()].findLast(({ address, result }) => result && !hasKey(address));
    if (upload?.result) {
      const url = 'url' in upload.result ? upload.result.url : undefined;
      return ok(
        `found, ${upload.address} is ${url === undefined ? 'a link that is not kept' : plainUrl(url)}`,
      );
    }
    return pointer === undefined ? notSeen('upload', 'service.upload_url') : ok(`set to ${pointer}`);
  },
};
