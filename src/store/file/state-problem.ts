/** Why a state cannot be used; nothing was changed. The detail names the file, the line, and what to do. */
import path from 'node:path';
import { EXIT } from '../../model/exit.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { isDatabaseUrl } from '../../util/database-url.ts';
import { err, type Result } from '../../util/result.ts';
import { inertText, shellWord } from '../../util/inert-text.ts';
import { isSameBaseUrl } from '../../util/same-base-url.ts';
import type { LogReading } from './read-log.ts';
import { GIT_CONFLICT, type LogHeader } from './header.ts';
import type { StateIdentity } from '../store.ts';
import { causeOf } from '../write-error.ts';
import type { Divergence } from './checkpoint.ts';
import type { Unasked } from './ask-git.ts';

type Words = Required<Pick<FatalProblem, 'summary' | 'detail'>>;

export function badState(code: string, words: Words): FatalProblem {
  return { code: `state-${code}`, exit: EXIT.badState, ...words };
}

type Damage = Extract<LogReading, { type: 'damaged' }>;

export function damaged(file: string, { line, offset, why }: Damage): FatalProblem {
  const place = `${file}, line ${line} (byte ${offset}): ${why}`;
  return badState('damaged', {
    summary: 'The state is damaged',
    detail:
      why === GIT_CONFLICT
        ? `${place}. ${TAKE_ONE}`
        : `${place}. It may have recorded something that was made, so nothing was changed. Bring the file back from ` +
          'git or from a backup and run again.',
  });
}

const FROM_GIT =
  '`git log --all --full-history -- FILE` lists the commits, `git checkout COMMIT -- FILE` brings one back';

/** Lines of two copies make no log, because each line is only right after the one before it. */
const TAKE_ONE =
  `They cannot be merged, and nothing was changed. Take one of them whole: ${FROM_GIT}. What only the other one knows ` +
  'would be made a second time.';

export function newer(
  file: string,
  { line, what }: { readonly line: number; readonly what: string },
): FatalProblem {
  return badState('newer-format', {
    summary: 'The state was written by a newer campaign',
    detail: `${file}, line ${line}: ${what}, which this version does not know. Install a newer version of campaign.`,
  });
}

/** For a file that only says where the state is. */
export function movedAway(file: string, to: string): FatalProblem {
  const place = isDatabaseUrl(to) ? to : path.resolve(path.dirname(file), to);
  return badState('moved', {
    summary: isDatabaseUrl(to) ? 'The state is in a database' : 'The state is in another file',
    detail:
      `${file} says that ${inertText(place)} has the state, and without that everything would be made a second time. Name ` +
      'it with --state or CAMPAIGN_STATE. To begin a new one elsewhere, move the file that says so away first, then run ' +
      '`campaign state new`.',
  });
}

/** For a state that was named, while another one lies at the place of this campaign. */
export function inOwnPlace(file: string, own: string): FatalProblem {
  return badState('in-file', {
    summary: 'The state of this campaign is in a file',
    detail:
      `${own} has the state, and what only that one knows would be made a second time with ${file}. Leave --state ` +
      '(CAMPAIGN_STATE) out to go on with it. `campaign state move --to FILE` takes it along; to begin a new one elsewhere, ' +
      'move it away first, then run `campaign state new`.',
  });
}

export function inConflict(file: string, why: string): FatalProblem {
  return badState('in-conflict', {
    summary: 'Git left a conflict in the file that says where the state is',
    detail:
      `${file}: ${why}, and they do not name one log. Take the right one from git ` +
      '(`git checkout COMMIT -- FILE`), and run again.',
  });
}

/** Undefined for the right state. */
export function foreign(
  file: string,
  header: LogHeader,
  { identity, known }: { readonly identity: StateIdentity; readonly known: number },
): FatalProblem | undefined {
  const names = { campaign: 'campaign', environment: 'environment', baseUrl: 'base URL' } as const;
  const keys = ['campaign', 'environment', 'baseUrl'] as const;
  const isSame = { campaign: Object.is, environment: Object.is, baseUrl: isSameBaseUrl };
  const differences = keys
    .filter((key) => !isSame[key](header[key], identity[key]))
    .map((key) => `${names[key]} ${header[key]}, not ${identity[key]}`);
  if (differences.length === 0) return undefined;
  const consequence =
    known === 0
      ? 'It knows no node yet, so nothing is lost:'
      : 'What it knows does not exist here. Check --env and the base URL, or name another file with --state. If it is what belongs here,';
  return badState('foreign', {
    summary: 'The state belongs to something else',
    detail:
      `${file}, line 1: it is the state of ${differences.join('; of ')}. ${consequence} ` +
      `\`campaign state use ${shellWord(file)}\` makes it the state of this manifest and environment.`,
  });
}

/** For a state that does not continue from what this machine wrote last. */
export function diverged(file: string, divergence: Divergence): FatalProblem {
  return badState('diverged', {
    summary: SUMMARY[divergence.type],
    detail:
      `${file} ${howDiverged(divergence)}. What is not in this copy would be made a second time. Bring the other one ` +
      `back, from a backup or from git (${FROM_GIT}). If this copy is to count from now on, \`campaign state use ${shellWord(file)}\` says so.`,
  });
}

export function divergedFromHead(file: string, divergence: Divergence): FatalProblem {
  return badState('diverged', {
    summary: 'The state does not go on from the committed one',
    detail:
      `${file} ${howOffHead(divergence)}. What is not in this copy would be made a second time. ` +
      '`git checkout HEAD -- FILE` brings the committed one back. If this copy is to count from now on, ' +
      `\`campaign state use ${shellWord(file)}\` says so.`,
  });
}

/** The code of what git could tell, and does not, without the `state-` before it. */
export const UNSEEN = 'unseen';

export function isUnseen({ code }: FatalProblem): boolean {
  return code === `state-${UNSEEN}`;
}

/** For a state that nothing shows to be the newest copy. */
export function unproved(file: string, { why, remedy }: Unasked): FatalProblem {
  return badState(UNSEEN, {
    summary: 'Whether the state is the newest copy cannot be seen',
    detail:
      `${file} is in a git repository, git cannot be asked (${inertText(why)}), and .campaign/ on this machine does not ` +
      'remember the state. What an older copy lacks, or one that was cut off, would be made a second time. ' +
      `${inertText(remedy)}. If this copy is the newest one, \`campaign state use ${shellWord(file)}\` says so, and is remembered here.`,
  });
}

function howOffHead(divergence: Divergence): string {
  switch (divergence.type) {
    case 'other-lineage':
      return `is the log ${divergence.found}, and the last commit (git's HEAD) has the log ${divergence.remembered}`;
    case 'older':
      return `ends with record ${divergence.found}, and the last commit (git's HEAD) goes on to record ${divergence.remembered}`;
    case 'apart':
      return `has another record ${divergence.remembered} than the last commit (git's HEAD)`;
  }
}

const SUMMARY: Readonly<Record<Divergence['type'], string>> = {
  'other-lineage': 'The state is another one than before',
  older: 'The state is older than before',
  apart: 'The state is a copy that went its own way',
};

function howDiverged(divergence: Divergence): string {
  switch (divergence.type) {
    case 'other-lineage':
      return `is the log ${divergence.found}, and the one that was here last is ${divergence.remembered}`;
    case 'older':
      return `ends with record ${divergence.found}, and record ${divergence.remembered} was here already`;
    case 'apart':
      return `has another record ${divergence.remembered} than the one that was here last`;
  }
}

export function vanished(file: string): FatalProblem {
  return badState('vanished', {
    summary: 'The state is gone',
    detail:
      `${file} does not exist or is empty, though there was a state here: starting anew would make everything a second ` +
      'time. Bring the file back (from git, a backup, another branch). If it is to start anew, `campaign state new` says so.',
  });
}

export function notAFile(file: string, why: string): FatalProblem {
  return badState('not-a-file', {
    summary: 'The state cannot be trusted where it is',
    detail: `${file}: ${why}. The state must be a regular file of yours in a folder of yours. Name another place with --state.`,
  });
}

/** Runs `work` on a state's files. An error of the disk becomes a problem; any other error is a bug. */
export async function unlessRefused<T>(
  code: 'unwritable' | 'unreadable',
  file: string,
  work: () => Promise<Result<T, FatalProblem>>,
): Promise<Result<T, FatalProblem>> {
  try {
    return await work();
  } catch (error) {
    const cause = causeOf(error);
    if (!(cause instanceof Error && 'syscall' in cause)) throw error;
    return err({
      code: `state-${code}`,
      exit: EXIT.cannotWrite,
      summary: code === 'unwritable' ? 'The state cannot be written' : 'The state cannot be read',
      detail: `${file}: ${cause.message}. Check the folder, its owner and the free space, or name another file with --state.`,
    });
  }
}
