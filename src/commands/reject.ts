import { consentOf } from '../cli/confirm.ts';
import { judge, type JudgeOptions } from '../cli/judge.ts';
import type { ChangeOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { EXIT } from '../model/exit.ts';
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
      const what = `${count(posts.length, 'post')} would be rejected: the next apply requests them again, and each is paid.`;
      const confirmation = { what, question: 'Reject them?' };
      return consent.isGiven(confirmation) ? undefined : consent.ask(confirmation);
    },
    say: ({ length }) =>
      `The next apply requests ${count(length, 'post')} again, and pays for ${them(length)}.\n`,
  });
}

function them(posts: number): string {
  return posts === 1 ? 'it' : 'them';
}

const NO_NOTE = refusal(EXIT.usage, {
  code: 'no-note',
  summary: 'A rejection needs a reason',
  detail:
    'Say what is wrong with the post, with --note: the plan shows it to whoever pays for the next take.',
});
