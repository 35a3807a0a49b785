import { readMediaUrls } from '../../service/read-media-urls.ts';
import { type Check, ok, warning } from '../check.ts';
import type { Context } from '../context.ts';
import { count } from '../../util/count.ts';
import { notSeen, takesOf } from './gap.ts';
import { mediumOf } from './medium-of.ts';

export const mediaUrls: Check<Context> = {
  id: 'media_urls',
  async look(context) {
    const { manifest, state } = context;
    const pointer = manifest.environment.gaps.mediaUrls;
    const at = pointer === undefined ? 'media_info' : `${pointer} in media_info`;
    const medium = mediumOf(await context.ask());
    if (medium?.media_info) {
      const urls = readMediaUrls(medium.media_info, pointer);
      if (urls.length) return ok(`${at} holds ${count(urls.length, 'file')}`);
      return warning(
        `${at} holds no URL`,
        'Look at the answer with `apply --trace FILE` and set service.media_urls to the place of its files.',
      );
    }
    const seen = takesOf(state).findLast(({ result }) => result?.urls.length);
    if (seen?.result)
      return ok(`${at} held ${count(seen.result.urls.length, 'file')} of the last finished post`);
    return notSeen('download', 'service.media_urls');
  },
};
