import type { RunSummary } from '../model/run-summary.ts';
import type { OpenState, Store } from '../store/store.ts';
import type { Output } from '../cli/output.ts';

/** Says of a state whose last run has no recorded end what that may mean, unless that run is still under way. */
export async function tellUnendedRun(
  { unended }: Pick<OpenState, 'unended'>,
  { store, output }: { readonly store: Store; readonly output: Output },
): Promise<void> {
  if (unended && (await store.holder()) === undefined) output.progress(`  ! ${unendedText(unended)}\n`);
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
