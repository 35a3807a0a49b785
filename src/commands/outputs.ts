import { relative, resolve } from 'node:path';
import type { Campaign } from '../app/campaign.ts';
import type { ServiceSettings } from '../app/connect-service.ts';
import { fetchOutputs } from '../app/fetch-outputs.ts';
import { outputFolderOf } from '../files/own-place.ts';
import { openObjects } from '../app/open-storage.ts';
import { lookAtState } from '../app/read-state.ts';
import { verifyOutputs } from '../app/verify-outputs.ts';
import { eachManifest, type TurnEnd } from '../cli/each-manifest.ts';
import { createFetchConsole } from '../cli/fetch-console.ts';
import type { ServiceOptions, SharedOptions } from '../cli/options.ts';
import { namesOf, tell } from '../cli/output.ts';
import { createPostGlobs, type PostGlobs } from '../cli/post-globs.ts';
import { profileElsewhere, withService } from '../cli/service-flags.ts';
import { type CommandEnd, loadUnread, manifestsOf, type Session } from '../cli/session.ts';
import { stopOnSignals } from '../cli/signals.ts';
import { commandText } from '../model/command-text.ts';
import { mediaAddress } from '../model/address.ts';
import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { isNamed } from '../plan/select.ts';
import { csvHead, csvRows, type Verified } from '../render/outputs-csv.ts';
import { outputsText, type ShowPath, verifiedText } from '../render/outputs-text.ts';
import { err, ok, type Result } from '../util/result.ts';
import { listOutputs, type OutputRow } from '../views/list-outputs.ts';

interface OutputsOptions extends SharedOptions, ServiceOptions {
  readonly verify?: true;
  readonly fetch?: true;
  readonly absolute?: true;
  readonly format?: 'text' | 'json' | 'csv';
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  readonly lockTimeout: number;
}

type Rows = readonly (OutputRow & Verified)[];

export async function outputs(session: Session<OutputsOptions>): CommandEnd {
  const files = await manifestsOf(session);
  if (!files.ok) return files.error;
  const isCsv = session.options.format === 'csv';
  if (isCsv) session.output.data(csvHead(), 'csv');
  // A table has nothing between its rows, and nothing after them.
  const around = isCsv ? { ...session, output: { ...session.output, result: () => undefined } } : session;
  const globs = createPostGlobs(session.options, files.value);
  const all = async (service: ServiceSettings) => {
    const take = (file: string, named: Session<OutputsOptions>) =>
      outputsOne(file, named, { service, globs });
    const { exit_code } = await eachManifest(files.value, around, { take });
    const mistyped = files.value.length > 1 ? globs.unseen() : undefined;
    return mistyped ? strongestExit([exit_code, tell(mistyped, session.output)]) : exit_code;
  };
  return session.options.fetch ? withService(session, all) : all({});
}

interface Wanted {
  readonly service: ServiceSettings;
  readonly globs: PostGlobs;
}

async function outputsOne(
  file: string,
  session: Session<OutputsOptions>,
  { service, globs }: Wanted,
): Promise<Refusal | TurnEnd> {
  const loaded = await loadUnread(session, file);
  if (!loaded.ok) return loaded.error;
  const { manifest } = loaded.value;
  const misplaced = profileElsewhere(service.profile, manifest.environment);
  if (misplaced) return misplaced;
  const names = namesOf(manifest);
  const about = session.about(names);
  const listed = session.options.fetch
    ? await fetched(loaded.value, about, { service, globs })
    : await found(loaded.value, about, globs);
  if (!listed.ok) return listed.error;
  show(listed.value.rows, loaded.value, about);
  return { ...names, exit: listed.value.exit };
}

type Listed = Promise<Result<{ readonly exit: ExitCode; readonly rows: Rows }, Refusal>>;

async function found(
  campaign: Campaign,
  { options, output, runtime }: Session<OutputsOptions>,
  globs: PostGlobs,
): Listed {
  const opened = await lookAtState(runtime, campaign);
  if (!opened.ok) return opened;
  const rows = selected([...listOutputs(opened.value.state)], globs);
  if (!rows.ok || !options.verify) return rows.ok ? ok({ exit: EXIT.ok, rows: rows.value }) : rows;
  const compared = await verified(campaign, runtime, rows.value);
  if (!compared.ok) return compared;
  const isWhole = compared.value.every(({ status }) => status === 'ok');
  const holder = isWhole ? undefined : await campaign.store.holder();
  if (holder !== undefined)
    output.progress(
      `  ! The state is in use by ${holder}, which may be renaming files: verify again later.\n`,
    );
  return ok({ exit: isWhole ? EXIT.ok : EXIT.failed, rows: compared.value });
}

/** With a storage, the objects there are what counts. */
async function verified(
  { files, manifest }: Campaign,
  runtime: Session['runtime'],
  rows: readonly OutputRow[],
): Promise<Result<Rows, Refusal>> {
  if (files === undefined) return ok(await verifyOutputs(runtime, outputFolderOf(manifest), rows));
  const objects = await openObjects(runtime, files);
  if (!objects.ok) return objects;
  const { verifyStored } = await import('../app/verify-stored.ts');
  const compared = await verifyStored(runtime, objects.value, rows);
  objects.value.close();
  return compared.ok ? compared : err(refusal(compared.error.exit, compared.error));
}

async function fetched(
  campaign: Campaign,
  session: Session<OutputsOptions>,
  { service, globs }: Wanted,
): Listed {
  const { lockTimeout: lockTimeoutMs } = session.options;
  const shown = await createFetchConsole(session);
  const { runtime } = session.following(shown.follow, service);
  try {
    return await fetchOutputs(runtime, campaign, {
      select: (rows) => selected(rows, globs),
      lockTimeoutMs,
      listen: stopOnSignals,
    });
  } finally {
    shown.close();
  }
}

/** Files are selected as posts are, with all their takes. */
function selected(
  rows: readonly OutputRow[],
  { only, exclude, see }: PostGlobs,
): Result<readonly OutputRow[], Refusal> {
  const isOne = (row: OutputRow, globs: readonly string[]) => isNamed(addressOf(row), globs);
  const mistyped = see(rows.map(addressOf));
  if (mistyped) return err(mistyped);
  return ok(rows.filter((row) => (!only.length || isOne(row, only)) && !isOne(row, exclude)));
}

function addressOf({ post, item }: OutputRow): string {
  return mediaAddress(post, item);
}

function show(
  rows: Rows,
  { manifest, target, files }: Campaign,
  { options, output }: Session<OutputsOptions>,
): void {
  const { verify, fetch, absolute, format } = options;
  const inFolder = (path: string) => resolve(manifest.folder, path);
  const exact = absolute ? rows.map((row) => ({ ...row, path: inFolder(row.path) })) : rows;
  if (output.mode === 'json') return output.json(exact.map((row) => ({ ...row, file: inFolder(row.path) })));
  if (format === 'csv') return output.data(csvRows(exact, namesOf(manifest)), 'csv');
  // As they are opened from the current folder; the state has paths relative to the manifest.
  const showPath: ShowPath = (path) => (absolute ? inFolder(path) : relative('', inFolder(path)));
  if (!verify && !fetch) return output.result(outputsText(rows, showPath, output.columns));
  const isNews = rows.some(({ status }) => status !== 'ok');
  if (!output.isQuiet || isNews) output.result(verifiedText(rows, showPath, output.style));
  // What is left alone because of its path is not fetched either; its line says what can be done.
  const canBeFetched = rows.some(({ status, problem }) => status !== 'ok' && problem === undefined);
  if (!verify || !canBeFetched) return;
  // What the folder has is compared with the storage by its length alone.
  const isStoredOther = files !== undefined && rows.some(({ status }) => status === 'differs');
  const before = isStoredOther ? 'Remove from the storage what differs there, then ' : '';
  const fetching = `\`${commandText('outputs', target, '--fetch')}\``;
  output.result(`${before}${fetching} brings them again, and pays nothing.\n`);
}
