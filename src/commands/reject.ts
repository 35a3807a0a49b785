import { requestedIfRejected } from '../app/judge-posts.ts';
import { consentOf } from '../cli/confirm.ts';
import { judge, type Judged, type JudgeOptions } from '../cli/judge.ts';
import type { ChangeOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
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
      const what = `${count(length, 'post')} would be rejected: ${followsFrom(judged, now)}`;
      const confirmation = { what, question: 'Reject them?' };
      return consent.isGiven(confirmation) ? undefined : consent.ask(confirmation);
    },
    say: (judged) => `${capitalised(followsFrom(judged, now))}\n`,
  });
}

/** What the next apply does, and what it leaves to one for another period. */
function followsFrom({ campaign, state, changed }: Judged, now: number): string {
  const present = changed.filter(({ settled }) => settled === undefined);
  const again = present.length ? requestedIfRejected(campaign, state, { posts: present, now }) : 0;
  const rest = present.length - again;
  const periods = [...new Set(changed.flatMap(({ settled }) => settled ?? []))];
  const over = periods.map((period) => {
    const number = changed.filter(({ settled }) => settled === period).length;
    return `${postsAre(number)} of ${period}, which is settled: requested again only by \`apply --at ${firstDayOf(period)}\`.`;
  });
  const them = again === 1 ? 'it' : 'them';
  return [
    ...(again ? [`the next apply requests ${count(again, 'post')} again, and pays for ${them}.`] : []),
    ...(rest ? [`${postsAre(rest)} not requested again: \`campaign plan\` says why.`] : []),
    ...over,
  ].join(' ');
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
    'Say what is wrong with the post, with --note: the plan shows it to whoever pays for the next take.',
});
