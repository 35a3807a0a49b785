import type { CampaignStatus } from '../app/campaign-status.ts';
import { placeOf } from '../app/watch-run.ts';
import { budgetJson } from '../render/plan-json.ts';
import { fitLines } from '../render/fit-lines.ts';
import type { StatusRoom } from '../render/status-causes.ts';
import { statusLines } from '../render/status-text.ts';
import { defined } from '../util/defined.ts';
import { periodNames } from '../views/settled.ts';
import type { Output } from './output.ts';
import { headline } from './show-plan.ts';

export function showStatus(
  status: CampaignStatus,
  { mode, isQuiet, json, result, style, planDetail }: Output,
  { all }: { readonly all?: true },
): void {
  if (mode === 'json') return json(statusJson(status));
  if (isQuiet) return;
  const { stdout } = process;
  const columns = (stdout.isTTY && stdout.columns) || Number.POSITIVE_INFINITY;
  const lines = all || planDetail === 'all' ? Number.POSITIVE_INFINITY : planDetail.lines;
  const [head = '', ...page] = statusPage(status, { columns, lines, style });
  result(`${[fitLines(head, columns), ...page].join('\n')}\n`);
}

/** With the headline of its campaign. */
export function statusPage(status: CampaignStatus, room: StatusRoom): string[] {
  const { campaign, known } = status;
  const shown = { ...status, periods: periodNames(campaign.manifest.periods) };
  return [headline(campaign, known), '', ...statusLines(shown, campaign, { ...room, lines: room.lines - 2 })];
}

/** `schemas/status.schema.json` */
export function statusJson(status: CampaignStatus): object {
  const { campaign, coverage, settled, cost, running, next, nodes } = status;
  const { locate, periods } = campaign.manifest;
  const present = periodNames(periods);
  const open = coverage.open.map(({ source, ...node }) => ({ ...node, ...placeOf(source, locate) }));
  return {
    ...coverage,
    ...(present && { periods: present, settled }),
    open,
    ...(cost && budgetJson(cost)),
    ...defined({ running, nodes }),
    next,
  };
}
