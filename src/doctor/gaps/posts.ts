import type { RunState, TakeState } from '../../model/run-state.ts';
import { readMediaStatus } from '../../service/read-media-status.ts';
import { readMediaUrls } from '../../service/read-media-urls.ts';
import type { MediaAnswer } from '../../service/read-records.ts';
import { LEARNED_MEDIA_PATH } from '../../steps/media-lookup.ts';
import { count } from '../../util/count.ts';
import type { FreeAnswers } from '../ask-service.ts';
import { type Check, notSeen, ok, type CheckResult, warning } from '../check.ts';
import type { Context } from '../context.ts';

export const mediaPath: Check<Context> = {
  id: 'media_path',
  async look(context) {
    const written = context.manifest.environment.gaps.mediaPath;
    const template = written ?? context.state.learned.get(LEARNED_MEDIA_PATH);
    return judgePath(await context.ask(), { template, how: written === undefined ? 'learned' : 'set' });
  },
};

function judgePath(
  { media }: FreeAnswers,
  { template, how }: { template: string | undefined; how: string },
): CheckResult {
  const asked = media.filter(({ address }) => address !== undefined);
  const found = asked.find(({ isFound }) => isFound);
  const [first] = asked;
  if (found)
    return ok(`${found.template} gives ${found.address}${template === undefined ? '' : ` (${how})`}`);
  // A post whose generation has not begun may be at none of the paths yet.
  const isUnanswered = asked.some(({ answer }) => !answer.ok && answer.error.status === undefined);
  if (!first?.isKnown || isUnanswered)
    return template === undefined ? notSeen('post', 'service.media_path') : ok(`${template} (${how})`);
  const statuses = asked.map(({ answer }) => (answer.ok ? 'another post' : String(answer.error.status)));
  const got = [...new Set(statuses)].join(', ');
  if (template === undefined) {
    return warning(
      `${first.address} is at none of ${count(asked.length, 'place')}: ${got}`,
      'Say in service.media_path where posts are.',
    );
  }
  return warning(
    `${template} (${how}) does not give ${first.address}: ${got}`,
    how === 'set'
      ? 'Correct service.media_path, or leave it out: then it is found out.'
      : 'If posts moved there, set service.media_path.',
  );
}

export const statuses: Check<Context> = {
  id: 'statuses',
  async look(context) {
    const names = context.manifest.environment.gaps.statuses;
    const medium = mediumOf(await context.ask());
    const status = medium?.status ?? '';
    if (medium && status) {
      const meaning = readMediaStatus(status, names);
      if (meaning !== 'pending') return ok(`"${status}" means ${meaning}`);
      return warning(
        `"${status}" is taken for pending`,
        'If it means that generation is over, add it to service.statuses.done or .failed.',
      );
    }
    const done = takesOf(context.state).filter((take) => take.status === 'done').length;
    if (done) return ok(`${done} posts were seen done`);
    const set = names ? `, besides ${JSON.stringify(names)}` : '';
    const usual = notSeen('poll', 'service.statuses');
    return { ...usual, summary: `${usual.summary}${set}` };
  },
};

export const mediaUrls: Check<Context> = {
  id: 'media_urls',
  async look(context) {
    const pointer = context.manifest.environment.gaps.mediaUrls;
    const at = pointer === undefined ? 'media_info' : `${pointer} in media_info`;
    const medium = mediumOf(await context.ask());
    if (medium?.media_info) {
      const urls = readMediaUrls(medium.media_info, { pointer, askedAt: medium.askedAt });
      if (urls.length) return ok(`${at} holds ${count(urls.length, 'file')}`);
      return warning(
        `${at} holds no URL`,
        'Look at the answer with `apply --trace FILE` and set service.media_urls to the place of its files.',
      );
    }
    const seen = takesOf(context.state).findLast(({ result }) => result?.urls.length);
    if (seen?.result)
      return ok(`${at} held ${count(seen.result.urls.length, 'file')} of the last finished post`);
    return notSeen('download', 'service.media_urls');
  },
};

function mediumOf({ media }: FreeAnswers): MediaAnswer | undefined {
  const answer = media.find(({ isFound }) => isFound)?.answer;
  return answer?.ok ? answer.value : undefined;
}

function takesOf({ media }: RunState): TakeState[] {
  return [...media.values()].flatMap(({ takes }) => takes);
}
