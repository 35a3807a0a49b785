/** The plans of a command in Markdown: on standard output, and on the summary page of GitHub Actions. */
import type { Campaign, ShownCampaign } from '../app/campaign.ts';
import type { ManifestEnd } from '../model/command-summary.ts';
import type { Plan } from '../model/plan.ts';
import { planMarkdown, type ReviewedPlan } from '../render/plan-markdown.ts';
import { LEFT_ALONE, leftAloneEntries } from '../views/plan-entries.ts';
import { inertText } from '../util/inert-text.ts';
import { reviewPlan } from '../views/plan-review.ts';
import { periodNames } from '../views/settled.ts';
import { addToSummary, isOnGithub } from './github.ts';
import type { Output } from './output.ts';
import type { SharedOptions } from './options.ts';

interface Shown {
  /** Without a graph where nothing is planned. */
  readonly campaign: ShownCampaign & Partial<Pick<Campaign, 'graph'>>;
  readonly plan: Plan;
}

interface Called {
  readonly args: readonly string[];
  readonly options: SharedOptions & { readonly format?: string };
  readonly output: Output;
}

/** Undefined where nobody wants Markdown. */
export function createPlanComment({ args, options, output }: Called) {
  const isWanted = options.format === 'markdown' && output.mode === 'text';
  const isOnSummary = isOnGithub(process.env) && Boolean(process.env['GITHUB_STEP_SUMMARY']);
  if (!isWanted && !isOnSummary) return undefined;
  const plans: ReviewedPlan[] = [];
  return {
    add: (shown: Shown) => void plans.push(reviewed(shown)),
    /** `manifests`: all of the command, those without a plan included. */
    show(manifests: readonly ManifestEnd[]): void {
      const [first] = plans;
      if (!first) return;
      const unplanned = manifests
        .filter(({ exit_code }) => exit_code !== 0)
        .map(({ manifest, exit_code, outcome }) => ({ manifest, outcome: `${outcome} (${exit_code})` }));
      const one = `${first.name} ${first.environment}`;
      const several = [...args, options.env].filter((word) => word !== undefined).join(' ');
      const marker = manifests.length === 1 ? one : several;
      const text = planMarkdown({ marker, plans, unplanned });
      if (isWanted) output.result(text);
      if (isOnSummary) summarise(text, first.name, output);
    },
  };
}

function reviewed({ campaign: { manifest, target, graph }, plan }: Shown): ReviewedPlan {
  const { name, environment, periods, locate } = manifest;
  const orphans = leftAloneEntries(plan).map(
    ([address, why]) => [address, why === LEFT_ALONE ? undefined : why] as const,
  );
  const review = reviewPlan(plan, graph?.objects ?? new Map(), orphans);
  return { name, environment: environment.name, target, periods: periodNames(periods), review, locate };
}

function summarise(markdown: string, name: string, output: Output): void {
  const why = addToSummary(markdown, process.env);
  if (why === undefined) return;
  const summary = `The plan of ${name} is not on the summary page`;
  output.progress(`  ! ${inertText(`${summary}: ${why}`)}.\n`);
  const problem = {
    code: 'no-step-summary',
    severity: 'warning',
    summary,
    detail: `GITHUB_STEP_SUMMARY: ${why}.`,
  } as const;
  output.hear({ type: 'problems', problems: [problem] });
}
