import path from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import { EXIT } from '../model/exit.ts';
import { shownFile } from '../model/manifest-file.ts';
import { amountOf } from '../model/money.ts';
import { postTypeOf } from '../model/post-type.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { SourceRef } from '../model/source.ts';
import { err, ok, type Result } from '../util/result.ts';
import { drawnState } from '../views/graph-status.ts';
import { makeReportData, type MadeReport, type ReportHead } from '../views/make-report-data.ts';
import { collectPictures, type Pictures } from '../views/report-pictures.ts';
import type { PostMemory } from '../views/report-posts.ts';
import { createTimelines, type Timelines } from '../views/timelines.ts';
import { type Accounts, aloneIn } from './account.ts';
import { readAttempts } from './attempt-notes.ts';
import type { Campaign } from './campaign.ts';
import type { Followed } from './follow-campaign.ts';
import { asAtWork, statusOver } from './campaign-status.ts';
import { hostOf } from './host-of.ts';
import { lookAtCampaign } from './read-state.ts';
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
  /** By default the campaign has its account to itself. */
  readonly accounts?: Accounts;
  /** Names the campaign in the commands of the page; by default as on the command line. */
  readonly target?: string;
  /** What was read before, of somebody who looks again and again. */
  readonly following?: Following;
}

interface Following extends Pick<Followed, 'read' | 'isHere'> {
  /** Those that have seen all that was read. */
  readonly timelines: () => Timelines;
  readonly attempts: typeof readAttempts;
  /** What the page has. */
  readonly pictures: Pictures;
  readonly posts: PostMemory;
}

/** What a page shows of a campaign. Reads the state without its lock, and sends nothing. */
export async function reportOf(
  runtime: Runtime,
  loaded: Campaign,
  { pathOf, empty, accounts = aloneIn(runtime), target = loaded.target, following }: Showing,
): Promise<Result<CampaignReport, Refusal>> {
  const own = createTimelines();
  const read = following?.read ?? loaded.store.reader(() => own.visit);
  const looked = await lookAtCampaign(runtime, loaded, read);
  if (!looked.ok) return looked;
  const campaign = { ...looked.value.campaign, target };
  const open = await asAtWork(looked.value);
  if (!open.header && empty === 'refuse') return err(noState(campaign));
  const status = await statusOver(runtime, { campaign, open }, { accounts, nodes: 'none', following });
  if (!status.ok) return status;
  const { graph, manifest } = campaign;
  const { state } = open;
  const { running, outlook, coverage } = status.value;
  const { known, matched } = outlook;
  const placeOf = (source: SourceRef | undefined) => placeIn(manifest, source);
  const screens = await reportScreens({
    campaign,
    state,
    status: status.value,
    placeOf,
    drawn: drawnState(graph, state, { ...known, matched }),
    runs: (following?.timelines() ?? own).of(
      open.runs,
      await (following?.attempts ?? readAttempts)(campaign),
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
    matched,
    coverage,
    priceOf(type) {
      const price = prices[postTypeOf(type) as keyof typeof prices];
      return price === undefined ? null : amountOf(price);
    },
    placeOf,
    pictures: following?.pictures ?? collectPictures((file) => pathOf(file, manifest.folder)),
    before: following?.posts,
  });
  return ok({ ...made, campaign });
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
  return isNear ? path.relative(place, path.resolve(folder, file)).split(path.sep).join('/') : null;
}

function isBelow(folder: string, at: string): boolean {
  const way = path.relative(at, folder);
  return way === '' || !(way.startsWith('..') || path.isAbsolute(way));
}

function noState({ store }: Campaign): Refusal {
  const detail = `There is no state at ${store.name} yet, so nothing has been made. Run \`campaign apply\` first; \`campaign plan\` shows what it would do.`;
  return refusal(EXIT.usage, { code: 'no-state', summary: 'There is nothing to report', detail });
}
