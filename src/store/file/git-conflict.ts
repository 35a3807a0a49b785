/** Said of a line that git left where two copies of a state could not be merged. */
export const GIT_CONFLICT = 'git left a conflict here: two copies of the state went their own ways';

/** Whether a line is one of git's marks around what it could not merge. */
export function isConflictMark(line: string): boolean {
  return /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/.test(line);
}
