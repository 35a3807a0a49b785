/** Why a state in a database cannot be used; nothing was changed. */
import { commandText } from '../../model/command-text.ts';
import { EXIT } from '../../model/exit.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { inertText } from '../../util/inert-text.ts';
import type { Divergence } from '../file/checkpoint.ts';
import type { StateIdentity } from '../store.ts';
import type { Place } from './place.ts';

type Words = Required<Pick<FatalProblem, 'summary' | 'detail'>>;

function badState(code: string, words: Words): FatalProblem {
  return { code: `state-${code}`, exit: EXIT.badState, ...words };
}

/** The database has the campaign, and nothing here says so. */
export function elsewhereInDatabase({ name, url, target }: Place, other: StateIdentity): FatalProblem {
  // What follows says the URL itself.
  const manifest = target.replace(/ ?--state (?:'[^']*'|\S+)/, '').trim();
  const adopt = commandText('state adopt', manifest, `'${inertText(url)}'`);
  const anew = commandText('state new', target);
  const { campaign, environment, baseUrl } = other;
  return badState('elsewhere', {
    summary: 'The database has a state of this campaign already',
    detail:
      `${name} has the state of ${campaign}, ${environment}, ${baseUrl}: the same campaign at the same service. The file that ` +
      'says so is not beside the manifest: it was not committed, or the manifest or the environment was renamed. ' +
      `\`${adopt}\` makes it the state of this manifest and environment. If this is to be a campaign of its own, \`${anew}\` ` +
      'begins a new state.',
  });
}

/** There is a state in a file, and without it everything would be made again. */
export function fileIsThere({ name, paths: { file } }: Place): FatalProblem {
  return badState('in-file', {
    summary: 'The state of this campaign is in a file',
    detail:
      `${file} has the state, and ${name} would begin a new one, which would make everything a second time. Leave --state ` +
      '(CAMPAIGN_STATE) out to go on with the file; `campaign state move --to URL` moves it into the database.',
  });
}

export function inConflict(file: string, why: string): FatalProblem {
  return badState('in-conflict', {
    summary: 'Git left a conflict in the file that names the database',
    detail:
      `${file}: ${why}, and they do not name one log in a database. Take the right one from git ` +
      '(`git checkout COMMIT -- FILE`), and run again.',
  });
}

export function noSuchLog(
  name: string,
  { file, lineage }: { readonly file: string; readonly lineage: string },
): FatalProblem {
  return badState('vanished', {
    summary: 'The state is gone',
    detail:
      `${file} says that a database has the log ${lineage}, and ${name} does not have it: it is another database, or one from ` +
      'before that log began. Starting anew would make everything a second time. Correct the URL, or bring the database ' +
      'back from a backup. If it is to start anew, `campaign state new` says so.',
  });
}

export function movedToFile(name: string, file: string): FatalProblem {
  return badState('moved', {
    summary: 'The state is in a file',
    detail: `${name} had it, and it was moved to ${inertText(file)}. Leave --state (CAMPAIGN_STATE) out, or name that file.`,
  });
}

/** Where it is said: who knows more may be a worker, which has no manifest. */
export const WHERE_NOTHING_IS_KNOWN =
  'It needs --yes on a machine that itself knows of nothing that is missing.';

export function divergedDatabase(name: string, divergence: Divergence): FatalProblem {
  return badState('diverged', {
    summary: 'The state is older than before',
    detail:
      `${name} ${howDiverged(divergence)}: it was brought back from a backup, it is a standby that lacked the newest records, or ` +
      'another database. What is missing would be made a second time. Bring the newer one back: the former server, or a later backup. ' +
      `If there is none any more, and this one is to count from now on, \`campaign state rebind\` says so. ${WHERE_NOTHING_IS_KNOWN}`,
  });
}

function howDiverged(divergence: Divergence): string {
  switch (divergence.type) {
    case 'other-lineage':
      return `has the log ${divergence.found}, and the one that was here last is ${divergence.remembered}`;
    case 'older':
      return `ends with record ${divergence.found}, and record ${divergence.remembered} was here already`;
    case 'apart':
      return `has another record ${divergence.remembered} than the one that was here last`;
  }
}

/** A log in a file could come back from git; a database cannot. */
export function inDatabase(problem: FatalProblem): FatalProblem {
  if (problem.code !== 'state-damaged') return problem;
  const [place = ''] = problem.detail.split('. It may have');
  const detail =
    `${place}. It may have recorded something that was made, so nothing was changed. Bring the database back from a ` +
    'backup, and run again.';
  return { ...problem, detail };
}
