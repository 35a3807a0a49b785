import { commandText } from '../../model/command-text.ts';
import { inertText } from '../../util/inert-text.ts';
import type { Unasked } from './ask-git.ts';
import type { Neighbour } from './neighbours.ts';
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

/** There is no state at its path, but one at another path. `target` names the campaign on the command line. */
export function elsewhere(
  file: string,
  { neighbour, target }: { readonly neighbour: Neighbour; readonly target: string },
): FatalProblem {
  const { isGone, isAbandoned, file: other } = neighbour;
  const { campaign, environment, baseUrl } = neighbour.identity;
  const adopt = commandText('state adopt', target, quoted(other));
  const anew = commandText('state new', target);
  const ways = isGone
    ? `That one is not there any more: bring it back, from git or a backup, then \`${adopt}\` makes it the state of this ` +
      'manifest and environment'
    : `\`${adopt}\` makes it the state of this manifest and environment; to leave it where it is, name it with --state`;
  const why = isAbandoned
    ? 'its manifest is not there any more, and it has posts that this one asks for, or posts of the same photos. A campaign that was renamed with ' +
      'its manifest, or a manifest that was moved to another folder, would make them a second time. '
    : 'the same campaign at the same service. A manifest or an environment that was renamed, or a forgotten --state, ' +
      'would make everything a second time. ';
  return badState('elsewhere', {
    summary: 'The state of this campaign has another name',
    detail:
      `${file} does not exist, and ${other} is the state of ${campaign}, ${environment}, ${baseUrl}: ${why}` +
      `${ways}. If this is to be a campaign of its own, \`${anew}\` begins a new state.`,
  });
}

function quoted(word: string): string {
  return inertText(/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
}

/** For a state that was named by its path. */
export function notThere(file: string): FatalProblem {
  return badState('vanished', {
    summary: 'There is no such state',
    detail: `${file} does not exist. Bring it back, from git or a backup, then run again.`,
  });
}
