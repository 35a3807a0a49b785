import { EXIT } from '../../model/exit.ts';
import type { FatalProblem } from '../../model/problem.ts';

/** Why a state is not moved; both sides are as they were. */
export function nothingToMove(place: string): FatalProblem {
  return usage('no-state', 'There is no state to move', `${place} has no state: the first apply begins one.`);
}

export function placeTaken(file: string): FatalProblem {
  const detail = `${file} is there already. Nothing was changed. Move it away first, or name another file.`;
  return usage('state-exists', 'There is a state', detail);
}

export function sameKind(from: string, to: string): FatalProblem {
  const detail =
    `The state is in ${from}, and ${to} is no other kind of place: a state is moved between a file and a database. ` +
    'To give a file another name, move it, and name it with --state.';
  return usage('same-kind', 'The state cannot be moved there', detail);
}

export function twoDecisions(from: string, to: string): FatalProblem {
  const detail = `${from} and ${to} both have verdicts about posts. Nothing was changed. Write all of them into one of the two, and remove the other.`;
  return usage('decisions-exist', 'There are two files of decisions', detail);
}

export function emulatorStays(file: string): FatalProblem {
  const detail = `The emulator's data lies beside ${file}, and a state elsewhere would not find it. Nothing was changed.`;
  return usage('emulator-stays', 'A rehearsal stays where its data is', detail);
}

export function changedMeanwhile(place: string): FatalProblem {
  return {
    code: 'state-changed',
    exit: EXIT.cannotWrite,
    summary: 'The state was not moved',
    detail: `${place} was changed by something else while it was copied, so what was copied does not count. Run the command again.`,
  };
}

function usage(code: string, summary: string, detail: string): FatalProblem {
  return { code, exit: EXIT.usage, summary, detail };
}
