import { inertText, shellWord } from '../../util/inert-text.ts';
import type { Unasked } from './ask-git.ts';
import type { OtherState } from './other-states.ts';
import { badState, UNSEEN } from './state-problem.ts';
import type { FatalProblem } from '../../model/problem.ts';

/** There is a file, but it lacks even the first line of a state. */
export function empty(file: string): FatalProblem {
  return gone(
    'The state is empty',
    `${file} is there, but it is empty or ends within its first line. No run leaves one like that, so something has cut ` +
      'it off, and starting anew would make everything a second time. Bring it back from git, a backup or another branch.',
  );
}

export function goneSinceCommit(file: string): FatalProblem {
  return gone(
    'The state is gone',
    `${file} is not there, and the last commit (git's HEAD) has it: starting anew would make everything a second time. ` +
      '`git checkout HEAD -- FILE` brings it back.',
  );
}

/** It is not there, in a repository that nobody can ask whether there was one. */
export function unseen(file: string, { why, remedy }: Unasked): FatalProblem {
  return badState(UNSEEN, {
    summary: 'Whether there is a state cannot be seen',
    detail:
      `${file} is not there. Its folder is in a git repository, which may have it, and git cannot be asked: ` +
      `${inertText(why)}. Starting anew would then make everything a second time. ${inertText(remedy)}. If this campaign ` +
      'was never applied, `campaign state new` begins its state.',
  });
}

function gone(summary: string, what: string): FatalProblem {
  const detail = `${what} If it is to start anew, \`campaign state new\` says so.`;
  return badState('vanished', { summary, detail });
}

/** There is no state at its path, but one that was left behind. */
export function elsewhere(file: string, { file: other, header }: OtherState): FatalProblem {
  const { campaign, environment, baseUrl, movedTo } = header;
  const place = movedTo === undefined ? other : `${inertText(movedTo)}, by ${other},`;
  return badState('elsewhere', {
    summary: 'The state of this campaign has another name',
    detail:
      `${file} does not exist, and ${place} is the state of ${campaign}, ${environment}, ${baseUrl}, which no manifest uses. ` +
      'After a campaign, an environment or a manifest got another name or another folder, or with a forgotten --state, ' +
      `everything would be made a second time. \`campaign state use ${shellWord(other)}\` makes it the state of this ` +
      'manifest and environment. If this is to be a campaign of its own, `campaign state new` begins a new state.',
  });
}

/** For a state that was named by its path. */
export function notThere(file: string): FatalProblem {
  return badState('vanished', {
    summary: 'There is no such state',
    detail: `${file} does not exist. Bring it back, from git or a backup, then run again.`,
  });
}
