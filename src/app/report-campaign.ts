import path from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import { EXIT } from '../model/exit.ts';
import { shownFile } from '../model/manifest-file.ts';
import { amountOf } from '../model/money.ts';
import { postTypeOf } from '../model/post-type.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { SourceRef } from '../model/source.ts';
import { draftPlan } from '../plan/draft-plan.ts';
import { finishPlan } from '../plan/make-plan.ts';
import type { OpenState } from '../store/store.ts';
import { err, ok, type Result } from '../util/result.ts';
import { coverageOf } from '../views/coverage.ts';
import { drawnState } from '../views/graph-status.ts';
import { makeReportData, type MadeReport, type ReportHead } from '../views/make-report-data.ts';
import type { PictureSource } from '../views/report-pictures.ts';
import { createTimelines } from '../views/run-timeline.ts';
import { type Accounts, aloneIn } from './account.ts';
import { readAttempts } from './attempt-notes.ts';
import { withoutUnderWay } from '../views/without-under-way.ts';
import type { Campaign } from './campaign.ts';
import { statusOver } from './campaign-status.ts';
import { hostOf } from './host-of.ts';
import { type Looked, lookAtCampaign } from './read-state.ts';
import { reportScreens } from './report-screens.ts';
import { type Runtime, timestamp } from './runtime.ts';

export interface CampaignReport extends MadeReport {
  readonly campaign: Campaign;
}

interface Showing {
  /** Where the page finds a file of the manifest's folder. */
  readonly pathOf: (file: string, folder: string) => string | null;
  /** Whether a campaign without a state is shown. */
  readonly empty: 'refuse' | 'show';
  /** The pictures that a page has already: they keep their numbers. */
  readonly before?: readonly PictureSource[] | undefined;
  /** By default the campaign has its account to itself. */
  readonly accounts?: Accounts;
  /** Names the campaign in the commands of the page; by default as on the command line. */
  readonly target?: string;
}

/** What a page shows of a campaign. Reads the state without its lock, and sends nothing. */
export async function reportOf(
  runtime: Runtime,
  loaded: Campaign,
  { pathOf, empty, before, accounts = aloneIn(runtime), target = loaded.target }: Showing,
): Promise<Result<CampaignReport, Refusal>> {
  const timelines = createTimelines();
  const looked = await lookAtCampaign(runtime, loaded, (record) => timelines.visit(record));
  if (!looked.ok) return looked;
  const campaign = { ...looked.value.campaign, target };
  const open = await asAtWork(looked.value);
  if (!open.header && empty === 'refuse') return err(noState(campaign));
  const status = await statusOver(runtime, { campaign, open }, { accounts, nodes: 'none' });
  if (!status.ok) return status;
  const { graph, manifest, decisions } = campaign;
  const { state } = open;
  const { verdicts } = decisions;
  const draft = draftPlan({
    graph,
    state,
    outputs: manifest.outputs,
    now: runtime.clock.now(),
    verdicts,
  });
  const isHere = (file: { readonly path: string }) =>
    runtime.disk.stat(path.join(manifest.folder, file.path)).type === 'file';
  const known = { plan: finishPlan(draft, 'make'), verdicts, isHere };
  const { running } = status.value;
  const placeOf = (source: SourceRef | undefined) => placeIn(manifest, source);
  const screens = await reportScreens({
    campaign,
    state,
    status: status.value,
    placeOf,
    drawn: drawnState(graph, state, { ...known, matched: draft.matched }),
    runs: timelines.of(
      open.runs,
      await readAttempts(campaign),
      running === undefined ? undefined : runtime.clock.now(),
    ),
  });
  const prices = manifest.budget?.prices ?? {};
  const made = makeReportData({
    head: headOf(runtime, campaign),
    screens,
    graph,
    state,
    known,
    matched: draft.matched,
    coverage: coverageOf(graph, state, known),
    priceOf(type) {
      const price = prices[postTypeOf(type) as keyof typeof prices];
      return price === undefined ? null : amountOf(price);
    },
    placeOf,
    pathOf: (file) => pathOf(file, manifest.folder),
    before,
  });
  return ok({ ...made, campaign });
}

/** While a run is at work, what it waits for is open, and no question to anybody. */
async function asAtWork({ campaign, open }: Looked): Promise<OpenState> {
  const { unended, state } = open;
  if (!unended || (await campaign.store.holder()) === undefined) return open;
  return { ...open, state: withoutUnderWay(state, unended.startedAt) };
}

function headOf(runtime: Runtime, { manifest, decisionsFile }: Campaign): ReportHead {
  return {
    campaign: manifest.name,
    environment: manifest.environment.name,
    service: hostOf(manifest.environment),
    manifest: shownIn(manifest, manifest.file),
    decisionsFile: path.relative(manifest.folder, decisionsFile),
    madeAt: timestamp(runtime),
    currency: manifest.budget?.currency ?? null,
  };
}

/** `campaign.yaml:31` */
function placeIn(manifest: Manifest, source: SourceRef | undefined): string | null {
  const position = source === undefined ? undefined : manifest.locate(source);
  return position ? `${shownIn(manifest, position.file)}:${position.line}` : null;
}

/** As the manifest itself would name a file, because a page is sent to other people. */
function shownIn({ folder, file }: Pick<Manifest, 'folder' | 'file'>, shown: string): string {
  if (shown === file) return shownFile(path.basename(file));
  return path.isAbsolute(shown) ? path.relative(folder, shown) : shown;
}

/** A page elsewhere on the machine would have the names of folders that are nobody's business, so it has no path. */
export function pathFrom(place: string, file: string, folder: string): string | null {
  const isNear = isBelow(place, folder) || isBelow(folder, place);
  return isNear ? path.relative(place, path.join(folder, file)).split(path.sep).join('/') : null;
}

function isBelow(folder: string, at: string): boolean {
  const way = path.relative(at, folder);
  return way === '' || !(way.startsWith('..') || path.isAbsolute(way));
}

function noState({ store }: Campaign): Refusal {
  const detail = `There is no state at ${store.name} yet, so nothing has been made. Run \`campaign apply\` first; \`campaign plan\` shows what it would do.`;
  return refusal(EXIT.usage, { code: 'no-state', summary: 'There is nothing to report', detail });
}
