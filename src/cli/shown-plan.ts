import type { ShownCampaign } from '../app/campaign.ts';
import type { Plan } from '../model/plan.ts';
import { fitLines } from '../render/fit-lines.ts';
import { planText, type Shown } from '../render/plan-text.ts';
import type { Output } from './output.ts';

interface Showing {
  readonly output: Output;
  /** The command that shows the same plan. */
  readonly verb?: string;
  readonly to?: 'result' | 'progress';
  readonly textOf?: (plan: Plan, shown: Shown) => string;
}

/** A plan as it stands in the output, as wide as the terminal is. */
export function shownPlan(
  plan: Plan,
  { manifest, target }: Pick<ShownCampaign, 'manifest' | 'target'>,
  { output, verb = 'plan', to = 'result', textOf = planText }: Showing,
): string {
  const isResult = to === 'result';
  const every = output.everyLine(verb, target);
  const text = textOf(plan, {
    campaign: { locate: manifest.locate, target, ...(every !== undefined && { everyLine: every }) },
    style: isResult ? output.style : output.errorStyle,
    detail: output.planDetail,
  });
  return fitLines(text, isResult ? output.columns : output.errorColumns);
}
