import path from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import { asDownloaded } from '../manifest/own-outputs.ts';
import { inRealFolder } from '../manifest/path-sandbox.ts';
import { type FatalProblem, refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { OpenState, StateReader } from '../store/store.ts';
import type { Disk } from '../util/disk.ts';
import { err, ok, type Result } from '../util/result.ts';
import { emulatorDataGone } from './emulator-data.ts';
import type { Campaign } from './campaign.ts';
import { refuseCopy } from './other-manifest.ts';
import type { Runtime } from './runtime.ts';
import { checkVerdicts } from './verdicts.ts';

/** Reads the state of a campaign without a lock; a state that does not exist yet is empty. */
export async function readState(
  campaign: Pick<Campaign, 'store' | 'target'>,
  read: StateReader = campaign.store.reader(),
): Promise<Result<OpenState, Refusal>> {
  const opened = await read();
  return opened.ok ? opened : err(stateRefusal(opened.error, campaign));
}

/** As `readState`, refused where nobody may write the state yet. */
export async function readWritable(campaign: Campaign): Promise<Result<OpenState, Refusal>> {
  const opened = await readState(campaign);
  const copy = opened.ok ? refuseCopy(campaign, opened.value.runs) : undefined;
  if (copy) return err(copy);
  const diverged = opened.ok ? opened.value.diverged : undefined;
  return diverged ? err(stateRefusal(diverged, campaign)) : opened;
}

/** As `readState`, with a warning about everything that would stop an apply. */
export async function lookAtState(
  { emit }: Pick<Runtime, 'emit'>,
  campaign: Campaign,
  read?: StateReader,
): Promise<Result<OpenState, Refusal>> {
  const opened = await readState(campaign, read);
  if (!opened.ok) return opened;
  const { state, warnings, runs } = opened.value;
  const copy = refuseCopy(campaign, runs);
  if (copy) return err(copy);
  for (const warning of warnings) emit({ type: 'warning', summary: adviceFor(campaign.target, warning) });
  const gone = await emulatorDataGone(campaign, state);
  for (const { summary, detail = '' } of gone?.problems ?? []) emit({ type: 'warning', summary, detail });
  return opened;
}

export interface Looked {
  readonly campaign: Campaign;
  readonly open: OpenState;
}

/** A campaign with its state, for planning: results that the state knows are no photos. */
export async function lookAtCampaign(
  runtime: Pick<Runtime, 'disk' | 'emit'>,
  loaded: Campaign,
  read?: StateReader,
): Promise<Result<Looked, Refusal>> {
  const opened = await lookAtState(runtime, loaded, read);
  if (!opened.ok) return opened;
  const open = opened.value;
  const judged = checkVerdicts(runtime, loaded, open.state);
  if (!judged.ok) return judged;
  const campaign = await leaveOutResults(runtime, loaded, open.state);
  if (!campaign.ok) return campaign;
  // The holder of the lock may be the run that has no end.
  const [unended] = unendedWarnings(open);
  if (unended !== undefined && (await loaded.store.holder()) === undefined)
    runtime.emit({ type: 'warning', summary: unended });
  return ok({ campaign: campaign.value, open });
}

/**
 * The campaign without photos that the state knows as its own results, so that nobody pays for these, wherever they
 * were moved. It is rarely read again, because output folders are left out before.
 */
export async function leaveOutResults(
  { disk }: Pick<Runtime, 'disk'>,
  campaign: Campaign,
  state: RunState,
): Promise<Result<Campaign, Refusal>> {
  const known = resultsElsewhere(campaign.manifest, state);
  if (!known.length || !holdsOneOf(disk, campaign.manifest, known)) return ok(campaign);
  return campaign.reload(known, campaign.today);
}

/** Files of all takes, except for those in an output folder that holds nothing else. */
function resultsElsewhere({ outputs }: Manifest, { media }: RunState): string[] {
  const dir = outputs ? path.posix.normalize(`${outputs.dir}/`) : './';
  const isApart = !dir.startsWith('.') && dir !== '/';
  const files = [...media.values()].flatMap(({ takes }) => takes.flatMap((take) => take.files ?? []));
  return files
    .map((file) => file.path)
    .filter((file) => !(isApart && path.posix.normalize(file).startsWith(dir)));
}

function holdsOneOf(disk: Disk, { folder, products, concepts }: Manifest, known: readonly string[]): boolean {
  const results = new Set(known.map((file) => inRealFolder(disk, path.resolve(folder, file))));
  const images = [
    ...products.flatMap((product) => product.images),
    ...concepts.flatMap((concept) => concept.refImages),
  ];
  return images.some((image) => {
    if ('url' in image) return false;
    const file = inRealFolder(disk, path.resolve(folder, image.file));
    return results.has(file) || results.has(asDownloaded(file));
  });
}

export function unendedWarnings({ unended }: Pick<OpenState, 'unended'>): string[] {
  if (!unended) return [];
  const { command, startedAt } = unended;
  const run = `\`campaign ${command}\` of ${startedAt}`;
  return [`The last run (${run}) has no recorded end: it was killed, or this copy was taken while it ran.`];
}

export function stateRefusal(
  { code, exit, summary, detail }: FatalProblem,
  { target }: Pick<Campaign, 'target'>,
): Refusal {
  return refusal(exit, { code, summary, detail: adviceFor(target, detail) });
}

/** Adds what names the campaign to the commands in a text, because without it they would mean another state. */
function adviceFor(target: string, text: string): string {
  // A URL that follows names the state itself.
  const without = target.replace(/(?:^| )--state (?:'(?:[^']|'\\'')*'|\S+)/, '').trim();
  return text.replace(/`campaign state (?:new(?=`)|use(?= '?(postgres)?))/g, (command, url?: string) =>
    [command, url === undefined ? target : without].filter(Boolean).join(' '),
  );
}
