import type { CommandSummary, ManifestEnd } from '../model/command-summary.ts';
import { EXIT } from '../model/exit.ts';
import { groupBy } from '../util/group-by.ts';
import { inertText } from '../util/inert-text.ts';
import type { Style } from './style.ts';

/**
 * How a command with several manifests ended: the sums, then a line for each manifest that did not succeed. Where only
 * news are wanted, each manifest has told its own, and this names those that had no turn.
 */
export function summaryText(
  { manifests, exit_code }: CommandSummary,
  { total, style, isQuiet }: { readonly total: string; readonly style: Style; readonly isQuiet: boolean },
): string {
  const listed = manifests.filter(
    ({ outcome }) => outcome === 'not-started' || (!isQuiet && outcome !== 'succeeded'),
  );
  const width = Math.max(...listed.map(({ outcome }) => wordOf(outcome).length));
  const lines = listed.map((end) => `  ${wordOf(end.outcome).padEnd(width)}  ${aboutOf(end)}\n`).join('');
  if (isQuiet) return lines;
  const ends = [...groupBy(manifests, ({ outcome }) => wordOf(outcome))].sort(
    ([a], [b]) => orderOf(a) - orderOf(b),
  );
  const sums = ends.map(([word, all]) => `${all.length} ${word}`).join(', ');
  const paint = exit_code === EXIT.ok ? style.green : style.yellow;
  return `\n${paint(`${manifests.length} manifests`)}: ${[`${sums}.`, total].filter(Boolean).join(' ')}\n${lines}`;
}

function aboutOf({ manifest, campaign, environment, outcome, exit_code }: ManifestEnd): string {
  const names = [campaign, environment, manifest].filter((name) => name !== undefined).join(' · ');
  return inertText(outcome === 'not-started' ? names : `${names} (${exit_code})`);
}

function wordOf(outcome: ManifestEnd['outcome']): string {
  return outcome === 'not-started' ? 'not started' : outcome;
}

/** What went well is first; all else comes in the order of its turn. */
function orderOf(word: string): number {
  return word === 'succeeded' ? 0 : 1;
}
