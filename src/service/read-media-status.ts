const DONE = ['success'];
const FAILED = ['failed', 'failure', 'error', 'rejected', 'cancelled'];

export interface StatusNames {
  done?: readonly string[] | undefined;
  failed?: readonly string[] | undefined;
}

/** What the status of a medium means. The given names override the usual ones; an unknown one is pending. */
export function readMediaStatus(status: string, names: StatusNames = {}): 'done' | 'failed' | 'pending' {
  const folded = (name: string) => name.trim().toLowerCase();
  const is = (list: readonly string[] = []) => list.some((name) => folded(name) === folded(status));
  if (is(names.failed)) return 'failed';
  if (is(names.done)) return 'done';
  if (is(FAILED)) return 'failed';
  return is(DONE) ? 'done' : 'pending';
}
