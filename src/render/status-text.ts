import { nonZero } from '../util/count.ts';
import type { Coverage } from '../views/coverage.ts';
import type { SettledPeriod } from '../views/settled.ts';
import { diagnosticText } from './diagnostic-text.ts';
import { type FailedCampaign, failureDiagnostics } from './failure-text.ts';
import type { Style } from './style.ts';

interface Status extends Coverage {
  readonly settled?: readonly SettledPeriod[];
}

/** A period that is over, in which something is open. */
function settledLine({ post, period, pending, failed }: SettledPeriod): string {
  const open = nonZero([
    [pending, 'pending'],
    [failed, 'failed'],
  ]);
  return `Settled: ${post} ${period}: ${open.join(', ')}.`;
}

export function statusText(coverage: Status, campaign: FailedCampaign, style: Style): string {
  const width = Math.max(4, ...coverage.by_post.map(({ post }) => post.length));
  const rows = coverage.by_post.map(({ post, items, done, outdated, pending, failed, given_up }) => {
    const isComplete = done + given_up >= items && !outdated;
    const mark = isComplete ? style.green('✓') : failed ? style.red('✗') : style.yellow('…');
    const rest = nonZero([
      [outdated, 'out of date'],
      [pending, 'pending'],
      [failed, 'failed'],
      [given_up, 'given up'],
    ]).join(', ');
    return `  ${mark} ${post.padEnd(width)}  ${done}/${items}${rest ? `  ${rest}` : ''}`;
  });
  const open = coverage.open.map(({ status: end, problem = { summary: end }, ...node }) => ({
    ...node,
    end,
    problem,
  }));
  const failures = failureDiagnostics(open, campaign).map((diagnostic) => diagnosticText(diagnostic, style));
  const parts = [
    `${coverage.done} of ${coverage.posts} posts done`,
    ...nonZero([
      [coverage.outdated, 'of them out of date'],
      [coverage.approved, 'approved'],
      [coverage.rejected, 'rejected'],
      [coverage.approved + coverage.rejected && coverage.undecided, 'undecided'],
      [coverage.pending, 'pending'],
      [coverage.failed, 'failed'],
      [coverage.unknown, 'unknown'],
      [coverage.given_up, 'given up'],
      [coverage.blocked, 'blocked'],
      [coverage.missing - coverage.blocked, 'to request'],
    ]),
  ];
  const sum = [`${parts.join(', ')}.`, ...(coverage.settled ?? []).map(settledLine)];
  return [`${rows.join('\n')}\n`, ...failures, `${sum.join('\n')}\n`].join('\n');
}
