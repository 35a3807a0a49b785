import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import { inertText } from '../util/inert-text.ts';
import { overBudgetAdvice, whyOverBudget } from '../views/budget-words.ts';
import { openEntries, planEntries, type PlanEntry, type Sign } from '../views/plan-entries.ts';
import { outlineOf, type PlanDetail, WHOLE_PAGE } from '../views/plan-outline.ts';
import { type PlanRow, signOf } from '../views/plan-rows.ts';
import { alikeText, entryText, type PlannedCampaign } from './plan-entry-text.ts';
import { groupText } from './plan-group-text.ts';
import { isChange, openWords, planLine } from './plan-line.ts';
import type { Style } from './style.ts';

export interface Shown {
  readonly campaign: PlannedCampaign;
  readonly style: Style;
  readonly detail?: PlanDetail;
}

/** A symbol and an address on each line, causes below, the sum at the end. */
export function planText(plan: Plan, shown: Shown): string {
  const text = linesOf(plan, () => planEntries(plan), shown);
  return `${text ? `${text}\n` : ''}${planLine(plan, shown.style)}\n`;
}

/** As `planText`, of a plan that only polls and downloads. */
export function waitText(plan: Plan, shown: Shown): string {
  const text = linesOf(plan, () => waitEntries(plan), shown);
  const { style } = shown;
  const open = openWords(plan).join(', ');
  const idle = open ? `Nothing is pending; ${open}.` : style.green('Nothing is pending.');
  return `${text ? `${text}\n` : ''}${plan.nodes.isEmpty ? idle : `${style.bold('Wait:')} ${open}.`}\n`;
}

function* waitEntries(plan: Plan): Iterable<PlanEntry> {
  for (const entry of planEntries(plan)) {
    const isPoll = entry.node && kindHas(entry.node, 'stored', 'take');
    if (isPoll || OPEN.has(entry.sign)) yield entry;
  }
}

/** A plan for `--quiet`: what needs a decision, and the sum unless nothing changes. */
export function quietPlanText(plan: Plan, shown: Shown): string {
  const sum = isChange(plan) || openWords(plan).length ? `${planLine(plan, shown.style)}\n` : '';
  return openText(plan, shown) + sum;
}

/** What no later run resolves by itself. */
export function openText(plan: Plan, shown: Shown): string {
  return linesOf(plan, () => openEntries(plan), shown);
}

const OPEN: ReadonlySet<Sign> = new Set(['held', 'held-up', 'withheld', 'gone', 'failed', 'unknown']);

function linesOf(
  plan: Plan,
  entries: () => Iterable<PlanEntry>,
  { campaign, style, detail = WHOLE_PAGE }: Shown,
) {
  const { currency, prices = {} } = plan.cost ?? {};
  const priced = { ...campaign, currency, isPriced: Object.keys(prices).length > 0 };
  let text = '';
  let excess = excessLine(plan, style);
  let isFolded = false;
  for (const row of outlineOf(entries, detail)) {
    const sign = signOf(row);
    if (OPEN.has(sign) || sign === 'left-alone') {
      text += excess;
      excess = '';
    }
    text += `${rowText(row, priced, style)}\n`;
    isFolded ||= row.type === 'group' && sign !== 'request';
  }
  return text + excess + (isFolded ? hintText(campaign, style) : '');
}

function rowText(row: PlanRow, campaign: PlannedCampaign, style: Style): string {
  if (row.type === 'alike') return alikeText(row, campaign, style);
  return row.type === 'entry' ? entryText(row.entry, campaign, style) : groupText(row.group, campaign, style);
}

/** The budget stands above what needs a decision. */
function excessLine(plan: Plan, style: Style): string {
  const excess = plan.beyondBudget.length ? undefined : whyOverBudget(plan);
  if (excess === undefined) return '';
  return `  ${style.red(`! over budget: ${inertText(excess)}`)}; ${overBudgetAdvice(plan)}\n`;
}

function hintText({ everyLine }: PlannedCampaign, style: Style): string {
  const how = everyLine === undefined ? '' : `; \`${everyLine}\` shows every line`;
  return style.dim(`  Lines that belong together are one line here${how}.
`);
}
