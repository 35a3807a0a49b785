import type { Coverage } from '../views/coverage.ts';
import { diagnosticText } from './diagnostic-text.ts';
import { type FailedCampaign, failureDiagnostics } from './failure-text.ts';
import type { Style } from './style.ts';

/** A table of posts, what is open at its lines of the manifest, and the sum. */
export function statusText(coverage: Coverage, campaign: FailedCampaign, style: Style): string {
  const width = Math.max(4, ...coverage.by_post.map(({ post }) => post.length));
  const rows = coverage.by_post.map(({ post, items, done, outdated, pending, failed, given_up }) => {
    const isComplete = done + given_up >= items && !outdated;
    const mark = isComplete ? style.green('✓') : failed ? style.red('✗') : style.yellow('…');
    const rest = [
      outdated && `${outdated} out of date`,
      pending && `${pending} pending`,
      failed && `${failed} failed`,
      given_up && `${given_up} given up`,
    ]
      .filter(Boolean)
      .join(', ');
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
    coverage.outdated && `${coverage.outdated} of them out of date`,
    coverage.pending && `${coverage.pending} pending`,
    coverage.failed && `${coverage.failed} failed`,
    coverage.unknown && `${coverage.unknown} unknown`,
    coverage.given_up && `${coverage.given_up} given up`,
    coverage.blocked && `${coverage.blocked} blocked`,
    coverage.missing > coverage.blocked && `${coverage.missing - coverage.blocked} to request`,
  ].filter(Boolean);
  return [`${rows.join('\n')}\n`, ...failures, `${parts.join(', ')}.\n`].join('\n');
}
