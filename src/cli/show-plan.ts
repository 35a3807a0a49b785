import { hostOf } from '../app/host-of.ts';
import type { ShownCampaign } from '../app/campaign.ts';
import type { MadePlan } from '../app/saved-plan.ts';
import { EXIT } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { fitLines } from '../render/fit-lines.ts';
import { explainText, nearestAddress } from '../render/explain-text.ts';
import { explainJson, planJson } from '../render/plan-json.ts';
import { quietPlanText } from '../render/plan-text.ts';
import { inertText } from '../util/inert-text.ts';
import { periodNames } from '../views/settled.ts';
import type { Output } from './output.ts';
import { shownPlan } from './shown-plan.ts';

interface ShownPlan {
  readonly campaign: ShownCampaign;
  readonly plan: Plan;
  /** Nodes that the state has. */
  readonly known: number;
}

/** A plan in Markdown is shown with those of all manifests, at the end of the command (plan-comment.ts). */
export function showPlan(
  { campaign, plan, known }: ShownPlan,
  output: Output,
  format: 'text' | 'json' | 'markdown' | undefined,
): void {
  const { manifest } = campaign;
  const { locate, periods } = manifest;
  const present = periodNames(periods);
  if (output.mode === 'json')
    output.json({ ...planJson(plan, locate), ...(present && { periods: present }) });
  else if (format === 'markdown') return;
  else if (output.isQuiet) showNews(shownPlan(plan, campaign, { output, textOf: quietPlanText }), output);
  else
    output.result(`${headline(campaign, known, output.columns)}\n\n${shownPlan(plan, campaign, { output })}`);
}

export function showNode(
  address: string,
  { campaign: { graph, manifest }, plan, open }: Pick<MadePlan, 'campaign' | 'plan' | 'open'>,
  output: Output,
): Refusal | undefined {
  const { locate } = manifest;
  const explained = { graph, state: open.state, plan };
  const text = explainText(address, explained, { locate, style: output.style });
  if (text !== undefined) {
    output.answer(explainJson(address, explained, locate), text);
    return undefined;
  }
  const near = nearestAddress(address, explained);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  const detail = `${address} is neither in the manifest nor in the state.${hint}`;
  return refusal(EXIT.usage, { code: 'unknown-address', summary: 'No such node', detail });
}

/** Of one of several, news say what they are about. */
function showNews(text: string, { heads, subject, result }: Output): void {
  result(text && heads === 'always' ? `${inertText(subject)}\n${text}` : text);
}

export function showHead({ campaign, known }: Omit<ShownPlan, 'plan'>, output: Output): void {
  output.result(`${headline(campaign, known, output.columns)}\n\n`);
}

/** The first line of plan and apply: it shows a wrong environment, period or an empty state at a glance. */
export function headline({ manifest, store }: ShownCampaign, known: number, columns?: number): string {
  const { environment, name } = manifest;
  const nodes = `${known} known ${known === 1 ? 'node' : 'nodes'}`;
  const periods = [...new Set(manifest.periods.map((period) => period.name))].sort();
  const present = periods.length
    ? [`${periods.length === 1 ? 'period' : 'periods'} ${periods.join(', ')}`]
    : [];
  const parts = [name, environment.name, hostOf(environment), store.name, nodes, ...present];
  return fitLines(inertText(parts.join(' · ')), columns);
}
