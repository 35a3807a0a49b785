/** The message for a line that git left where it could not merge two copies of a state. */
export const GIT_CONFLICT = 'git left a conflict here: two copies of the state went their own ways';

/** Whether a line is a conflict mark of git. */
export function isConflictMark(line: string): boolean {
  return /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/.test(line);
}
