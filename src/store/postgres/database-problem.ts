/** Why a state in a database cannot be used; nothing was changed. */
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
export function elsewhereInDatabase({ name, url }: Place, other: StateIdentity): FatalProblem {
  const { campaign, environment, baseUrl } = other;
  return badState('elsewhere', {
    summary: 'The database has a state of this campaign already',
    detail:
      `${name} has the state of ${campaign}, ${environment}, ${baseUrl}: the same campaign at the same service. The file that ` +
      `says so is not beside the manifest: it was not committed, or the manifest was moved. \`campaign state use ` +
      `'${inertText(url)}'\` makes it the state of this manifest and environment. If this is to be a campaign of its own, ` +
      '`campaign state new` begins a new state.',
  });
}

/** Another folder has it, with its manifest. */
export function nameIsTaken(
  name: string,
  { campaign, environment }: StateIdentity,
  taker: string,
): FatalProblem {
  return {
    code: 'name-taken',
    exit: EXIT.invalidManifest,
    summary: 'Another folder has this name in the database',
    detail:
      `${name} has the state of "${campaign}" for the environment "${environment}", and ${taker} says that it is that of a ` +
      'manifest there. Give this campaign another `name:`. Nothing was sent.',
  };
}

/** For what is to be taken. */
export function fileIsNoPointer(name: string, file: string): FatalProblem {
  const detail =
    `${file} does not say that ${name} has a state. If it is a state itself, leave --state (CAMPAIGN_STATE) out to use it, and ` +
    'then `campaign state move --to URL`. Nothing was changed.';
  return { code: 'no-state', exit: EXIT.usage, summary: 'There is no such state', detail };
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

/** Without `divergence`, other processes have found it so. */
export function divergedDatabase(
  { name, url }: Pick<Place, 'name' | 'url'>,
  divergence?: Divergence,
): FatalProblem {
  return badState('diverged', {
    summary: 'The state is older than before',
    detail:
      `${name} ${howDiverged(divergence)}: it was brought back from a backup, it is a standby that lacked the newest records, or ` +
      'another database. What is missing would be made a second time. Bring the newer one back: the former server, or a later backup. ' +
      `If there is none any more, and this one is to count from now on, \`campaign state use '${inertText(url)}'\` says so. ${WHERE_NOTHING_IS_KNOWN}`,
  });
}

function howDiverged(divergence: Divergence | undefined): string {
  switch (divergence?.type) {
    case undefined:
      return 'lacks records that a process which took part in a run has seen there';
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
