import type { RunSummary } from '../model/run-summary.ts';
import { lockHolder } from '../store/file/look-at-lock.ts';
import { statePaths } from '../store/file/work-folder.ts';
import type { OpenState } from '../store/file/open-state.ts';
import type { Output } from '../cli/output.ts';

/** Says of a state whose last run has no recorded end what that may mean, unless that run is still under way. */
export async function tellUnendedRun(
  { unended }: Pick<OpenState, 'unended'>,
  { stateFile, output }: { readonly stateFile: string; readonly output: Output },
): Promise<void> {
  if (unended && (await lockHolder(statePaths(stateFile))) === undefined)
    output.progress(`  ! ${unendedText(unended)}\n`);
}

/** The same as a warning of a run that holds the lock. */
export function unendedWarnings({ unended }: Pick<OpenState, 'unended'>): string[] {
  return unended ? [unendedText(unended)] : [];
}

function unendedText({ command, startedAt }: RunSummary): string {
  return (
    `The last run (\`campaign ${command}\` of ${startedAt}) has no recorded end: it was killed, or this copy was taken ` +
    'while it ran.'
  );
}
