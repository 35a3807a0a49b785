import { requestedIfRejected } from '../app/judge-posts.ts';
import type { Priced } from '../app/payable.ts';
import { consentOf } from '../cli/confirm.ts';
import { judge, type Judged, type JudgeOptions, leftWords } from '../cli/judge.ts';
import type { ChangeOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import { firstDayOf } from '../model/period.ts';
import { refusal } from '../model/problem.ts';
import { count } from '../util/count.ts';

/** More posts than this are not rejected without a yes, because each is paid for again. */
const UNASKED = 10;

export async function reject(session: Session<ChangeOptions & JudgeOptions>): CommandEnd {
  if (!session.options.note) return NO_NOTE;
  const consent = consentOf(session);
  const now = session.runtime.clock.now();
  return judge(session, 'rejected', {
    async agree(judged) {
      const { length } = judged.changed;
      if (length <= UNASKED) return undefined;
      const left = leftWords(judged.left, 'rejected').trimEnd();
      const what = [`${count(length, 'post')} would be rejected: ${followsFrom(judged, now)}`, left].join(
        ' ',
      );
      const confirmation = { what: what.trimEnd(), question: 'Reject them?' };
      return consent.isGiven(confirmation) ? undefined : consent.ask(confirmation);
    },
    say: (judged) => `${capitalised(followsFrom(judged, now))}\n`,
  });
}

/** What the next apply does, and what it leaves to one for another period. */
function followsFrom({ campaign, state, changed }: Judged, now: number): string {
  const present = changed.filter(({ settled }) => settled === undefined);
  const again = present.length ? requestedIfRejected(campaign, state, { posts: present, now }) : NONE;
  const rest = present.length - again.posts;
  const periods = [...new Set(changed.flatMap(({ settled }) => settled ?? []))];
  const over = periods.map((period) => {
    const number = changed.filter(({ settled }) => settled === period).length;
    return `${postsAre(number)} of ${period}, which is settled: requested again only by \`apply --at ${firstDayOf(period)}\`.`;
  });
  return [
    ...(again.posts ? [againWords(again, campaign)] : []),
    ...(rest ? [`${postsAre(rest)} not requested again: \`campaign plan\` says why.`] : []),
    ...over,
  ].join(' ');
}

const NONE = { posts: 0, cost: undefined };

function againWords({ posts, cost }: Priced, { manifest }: Judged['campaign']): string {
  const again = `the next apply requests ${count(posts, 'post')} again`;
  if (manifest.environment.baseUrl === EMULATOR)
    return `${again}${cost === undefined ? '' : ` (${cost} by the prices of the manifest)`}.`;
  return `${again}, and pays for ${posts === 1 ? 'it' : 'them'}${cost === undefined ? '' : `: ${cost}`}.`;
}

function postsAre(number: number): string {
  return `${count(number, 'post')} ${number === 1 ? 'is' : 'are'}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const NO_NOTE = refusal(EXIT.usage, {
  code: 'no-note',
  summary: 'A rejection needs a reason',
  detail:
    'Say what is wrong with the post, with --note: the plan shows it to whoever agrees to the next take.',
});
