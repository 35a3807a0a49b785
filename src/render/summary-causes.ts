/** What went wrong in a run, by cause, at its end. */
import { commandText } from '../model/command-text.ts';
import type { Failure } from '../model/failure.ts';
import { storedAs } from '../model/kinds.ts';
import { type FailureGroup, groupFailures } from '../views/failure-groups.ts';
import type { FailedCampaign } from './failure-text.ts';
import { causeLines } from './status-causes.ts';
import type { Style } from './style.ts';

/** So many lines have the causes of a run, however many there are. */
const MOST_LINES = 30;

interface Room {
  readonly columns: number | undefined;
  readonly style: Style;
}

/** The most frequent cause first. Empty where nothing failed. */
export function summaryCauses(
  failures: readonly Failure[],
  campaign: FailedCampaign,
  { columns = Number.POSITIVE_INFINITY, style }: Room,
): string {
  if (!failures.length) return '';
  const groups = groupFailures(failures).toSorted((a, b) => b.length - a.length);
  const hidden = (rest: readonly FailureGroup[]) => whereElse(rest, campaign.target);
  const lines = causeLines(groups, campaign, { columns, lines: MOST_LINES, style, hidden });
  return `${lines.join('\n')}\n`;
}

/** Of what was refused nothing is kept: only another run finds out what is refused still. */
function whereElse(rest: readonly FailureGroup[], target: string): string {
  const isKept = rest.every(([{ address, end }]) => storedAs(address) === 'take' || end === 'unknown');
  return isKept
    ? `\`${commandText('status', target, '--all')}\` shows them`
    : 'the next run tries them again, and says what is left';
}
