import { relative, resolve } from 'node:path';
import type { Campaign } from '../app/campaign.ts';
import type { JudgedPost } from '../app/judge-posts.ts';
import { choose, type Question, unanswered } from '../cli/choose.ts';
import { finishedOf, writeVerdicts } from '../cli/judge.ts';
import { EMULATOR } from '../model/emulator.ts';
import { type CommandEnd, type Session } from '../cli/session.ts';
import { targetOf } from '../cli/target.ts';
import { askLine, ownTerminal, type Terminal } from '../cli/terminal.ts';
import { EXIT } from '../model/exit.ts';
import { refusal } from '../model/problem.ts';
import type { Verdict } from '../model/verdict.ts';
import { count } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';

/** Walks through the finished posts about which nothing was decided, on a terminal. */
export async function decide(session: Session): CommandEnd {
  const terminal = session.options.json ? undefined : ownTerminal(session.runtime.clock);
  if (!terminal) return NO_TERMINAL;
  const read = await finishedOf(session, targetOf(session.args).file);
  if (!read.ok) return read.error;
  const { campaign, posts } = read.value;
  const open = posts.filter(({ verdict }) => verdict === undefined);
  if (!open.length) session.output.result('Everything that is finished was decided.\n');
  for (const [index, post] of open.entries()) {
    const place = `${index + 1} of ${open.length}`;
    const end = await askAbout(post, { session, campaign, terminal, place });
    if (end !== EXIT.ok) return end;
  }
  return EXIT.ok;
}

interface Asking {
  readonly session: Session;
  readonly campaign: Campaign;
  readonly terminal: Terminal;
  readonly place: string;
}

async function askAbout(post: JudgedPost, { session, campaign, terminal, place }: Asking): CommandEnd {
  const files = (post.take.files ?? []).map(({ path }) =>
    relative('', resolve(campaign.manifest.folder, path)),
  );
  terminal.output.write(
    `\n${place}: ${post.address}\n${files.map((file) => `  ${inertText(file)}\n`).join('')}`,
  );
  const left = { nothing: 'what was not decided stays undecided', terminal };
  const chosen = await choose(whatIsIt(campaign), terminal);
  if (chosen.type !== 'chosen') return unanswered(chosen, left);
  if (chosen.value === 'quit') return EXIT.needsConsent;
  if (chosen.value === 'leave') return EXIT.ok;
  const note = chosen.value === 'rejected' ? await askLine('What is wrong with it? ', terminal) : undefined;
  if (note && note.type !== 'line') return unanswered(note, left);
  const verdict = { verdict: chosen.value, ...(note?.text && { note: note.text }) };
  const written = await writeVerdicts(session, { campaign, changed: [post] }, verdict);
  if (!written.ok) return written.error;
  if (written.value.meanwhile.length) terminal.output.write(MEANWHILE);
  return EXIT.ok;
}

const MEANWHILE = 'Somebody else has decided that meanwhile: their verdict stays.\n';

function whatIsIt({ manifest }: Campaign): Question<Verdict['verdict'] | 'quit' | 'leave'> {
  const pays = manifest.environment.baseUrl === EMULATOR ? '' : ', and pays for it';
  return {
    prompt: 'What do you think of it?',
    choices: [
      {
        keys: ['a', 'approve'],
        does: 'approve: keep it through every edit',
        explained: 'No edit of the manifest replaces it; only --replace does.',
        value: 'approved',
      },
      {
        keys: ['r', 'reject'],
        does: `reject: the next apply requests ${count(1, 'new take')} of it${pays}`,
        explained: 'You are asked for the reason. The present file stays, as <name>.take<n>.',
        value: 'rejected',
      },
      {
        keys: ['q', 'quit'],
        does: 'quit: ask no more',
        explained: 'What is decided stays decided, and the command ends with 5.',
        value: 'quit',
      },
      {
        keys: ['l', 'later'],
        does: 'later: leave it undecided',
        explained: 'Nothing is written. `campaign decide` asks about it again.',
        value: 'leave',
      },
    ],
  };
}

const NO_TERMINAL = refusal(EXIT.usage, {
  code: 'no-terminal',
  summary: 'There is nobody to ask',
  detail:
    '`campaign decide` asks on a terminal. Elsewhere, name the posts: `campaign approve` and `campaign reject`.',
});
