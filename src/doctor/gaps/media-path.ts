import { LEARNED_MEDIA_PATH } from '../../steps/media-lookup.ts';
import type { Asked, MediumReading } from '../ask-service.ts';
import { type Check, ok, type Verdict, warning } from '../check.ts';
import type { Context } from '../context.ts';
import { count } from '../../util/count.ts';
import { notSeen } from './gap.ts';

export const mediaPath: Check<Context> = {
  id: 'media_path',
  async look(context) {
    const { manifest, state } = context;
    const written = manifest.environment.gaps.mediaPath;
    const learned = state.learned.get(LEARNED_MEDIA_PATH);
    const asked = await context.ask();
    return judge(asked, { template: written ?? learned, how: written === undefined ? 'learned' : 'set' });
  },
};

function judge({ media }: Asked, { template, how }: { template: string | undefined; how: string }): Verdict {
  const asked = media.filter(({ address }) => address !== undefined);
  const found = asked.find(({ isFound }) => isFound);
  const [first] = asked;
  if (found)
    return ok(`${found.template} gives ${found.address}${template === undefined ? '' : ` (${how})`}`);
  // A post whose generation has not begun may be at none of the paths yet.
  if (!first?.isKnown || asked.some(isUnanswered)) {
    return template === undefined ? notSeen('post', 'service.media_path') : ok(`${template} (${how})`);
  }
  if (template === undefined) {
    return warning(
      `${first.address} is at none of ${count(asked.length, 'place')}: ${statusesOf(asked)}`,
      'Say in service.media_path where posts are.',
    );
  }
  return warning(
    `${template} (${how}) does not give ${first.address}: ${statusesOf(asked)}`,
    how === 'set'
      ? 'Correct service.media_path, or leave it out: then it is found out.'
      : 'If posts moved there, set service.media_path.',
  );
}

function isUnanswered({ answer }: MediumReading): boolean {
  return !answer.ok && answer.error.status === undefined;
}

function statusesOf(readings: readonly MediumReading[]): string {
  const said = readings.map(({ answer }) => (answer.ok ? 'another post' : String(answer.error.status)));
  return [...new Set(said)].join(', ');
}
