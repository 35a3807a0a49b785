/** What the screens of a page show besides the pictures. */
import type { DrawnState } from '../views/graph-status.ts';
import { changesSince } from '../views/changes.ts';
import { collapseGraph } from '../views/collapse-graph.ts';
import { costTable } from '../views/cost-table.ts';
import { goneDecisions } from '../views/decision-rows.ts';
import { drawGraph } from '../views/draw-graph.ts';
import { failureCauses } from '../views/failure-causes.ts';
import type { GraphImage, ReportScreens } from '../views/report-screens.ts';
import { reportSummary } from '../views/report-summary.ts';
import type { RunTimeline } from '../views/run-timeline.ts';
import { periodNames } from '../views/settled.ts';
import type { SourceRef } from '../model/source.ts';
import type { RunState } from '../model/run-state.ts';
import type { Campaign } from './campaign.ts';
import type { CampaignStatus } from './campaign-status.ts';

interface Reported {
  readonly campaign: Campaign;
  readonly state: RunState;
  readonly status: CampaignStatus;
  readonly drawn: DrawnState;
  readonly runs: readonly RunTimeline[];
  /** Where in the manifest something stands, as the page says it. */
  readonly placeOf: (source: SourceRef | undefined) => string | null;
}

export async function reportScreens({
  campaign,
  state,
  status,
  drawn,
  runs,
  placeOf,
}: Reported): Promise<ReportScreens> {
  const { manifest, target, decisions } = campaign;
  const { coverage, cost } = status;
  const { verdicts } = decisions;
  const prices = manifest.budget?.prices ?? {};
  return {
    summary: reportSummary(status, periodNames(manifest.periods)),
    failures: failureCauses(coverage, { target, placeOf }),
    cost: costTable(state, { prices, verdicts, limits: cost?.limits ?? [] }),
    runs,
    changes: changesSince(state, runs.at(-1)?.startedAt ?? new Date(0).toISOString()),
    goneDecisions: goneDecisions(state, verdicts),
    graph: await drawImage(campaign, drawn),
  };
}

/** Graphviz is loaded only now: it takes 60 ms. */
async function drawImage({ graph, manifest }: Campaign, drawn: DrawnState): Promise<GraphImage | null> {
  const picture = collapseGraph(drawGraph(graph, drawn), 'fit');
  const { dotText } = await import('../render/graph-dot.ts');
  const { labelOf } = await import('../render/graph-label.ts');
  const { svgText } = await import('../render/graph-svg.ts');
  const { together, boxes } = picture;
  try {
    const svg = await svgText(dotText(picture, `${manifest.name} · ${manifest.environment.name}`));
    const [, width = '0', height = '0'] = /<svg width="(\d+)pt" height="(\d+)pt"/.exec(svg) ?? [];
    return { svg, width: pixels(width), height: pixels(height), boxes: boxes.map(labelOf), together };
  } catch {
    // Graphviz gives up on few graphs; a report without its picture is better than none.
    return null;
  }
}

/** Of points, of which 72 are an inch. */
function pixels(points: string): number {
  return Math.round((Number(points) * 96) / 72);
}
