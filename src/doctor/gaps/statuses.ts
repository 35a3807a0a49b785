import { readMediaStatus } from '../../service/read-media-status.ts';
import { type Check, ok, warning } from '../check.ts';
import type { Context } from '../context.ts';
import { notSeen, takesOf } from './gap.ts';
import { mediumOf } from './medium-of.ts';

export const statuses: Check<Context> = {
  id: 'statuses',
  async look(context) {
    const { manifest, state } = context;
    const names = manifest.environment.gaps.statuses;
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
    const done = takesOf(state).filter((take) => take.status === 'done').length;
    if (done) return ok(`${done} posts were seen done`);
    const set = names ? `, besides ${JSON.stringify(names)}` : '';
    const usual = notSeen('poll', 'service.statuses');
    return { ...usual, summary: `${usual.summary}${set}` };
  },
};
