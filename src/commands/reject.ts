import type { JudgedPost } from '../app/judge-posts.ts';
import { consentOf } from '../cli/confirm.ts';
import { judge, type JudgeOptions } from '../cli/judge.ts';
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
  return judge(session, 'rejected', {
    async agree(posts) {
      if (posts.length <= UNASKED) return undefined;
      const what = `${count(posts.length, 'post')} would be rejected: ${followsFrom(posts)}`;
      const confirmation = { what, question: 'Reject them?' };
      return consent.isGiven(confirmation) ? undefined : consent.ask(confirmation);
    },
    say: (posts) => `${capitalised(followsFrom(posts))}\n`,
  });
}

/** What the next apply does, and what it leaves to one for another period. */
function followsFrom(posts: readonly JudgedPost[]): string {
  const present = posts.filter(({ settled }) => settled === undefined).length;
  const them = present === 1 ? 'it' : 'them';
  const periods = [...new Set(posts.flatMap(({ settled }) => settled ?? []))];
  const again = `the next apply requests ${count(present, 'post')} again, and pays for ${them}.`;
  const over = periods.map((period) => {
    const number = posts.filter(({ settled }) => settled === period).length;
    const are = number === 1 ? 'is' : 'are';
    return `${count(number, 'post')} ${are} of ${period}, which is settled: requested again only by \`apply --at ${firstDayOf(period)}\`.`;
  });
  return [...(present ? [again] : []), ...over].join(' ');
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
