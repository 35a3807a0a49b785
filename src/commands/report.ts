import { dirname, join, relative, resolve } from 'node:path';
import type { Accounts } from '../app/account.ts';
import type { Campaign } from '../app/campaign.ts';
import { reportOf } from '../app/report-campaign.ts';
import { writeReport, type WrittenReport } from '../app/write-report.ts';
import { eachManifest, type TurnEnd } from '../cli/each-manifest.ts';
import type { SharedOptions } from '../cli/options.ts';
import { namesOf } from '../cli/output.ts';
import { accountsOf, type CommandEnd, loadFor, manifestsOf, type Session } from '../cli/session.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { count } from '../util/count.ts';
import { err, ok, type Result } from '../util/result.ts';

interface ReportOptions extends SharedOptions {
  readonly out?: string;
}

export async function report(session: Session<ReportOptions>): CommandEnd {
  const files = await manifestsOf(session);
  if (!files.ok) return files.error;
  const accounts = accountsOf(session, files.value);
  const take = (file: string, named: Session<ReportOptions>) => reportOne(file, named, accounts);
  return (await eachManifest(files.value, session, { take })).exit_code;
}

async function reportOne(
  file: string,
  session: Session<ReportOptions>,
  accounts: Accounts,
): Promise<Refusal | TurnEnd> {
  const { options, output, runtime } = session;
  const loaded = await loadFor(session, file);
  if (!loaded.ok) return loaded.error;
  const names = namesOf(loaded.value.manifest);
  const place = placeOf(loaded.value, options.out);
  if (!place.ok) return place.error;
  const made = await reportOf(runtime, loaded.value, dirname(place.value), accounts);
  if (!made.ok) return made.error;
  const written = await writeReport(made.value, place.value, options.out);
  if (!written.ok) return written.error;
  const about = output.about(names);
  if (about.mode === 'json') about.json(written.value);
  else if (!about.isQuiet) about.result(textOf(written.value));
  return { ...names, exit: EXIT.ok };
}

/** In the output folder, unless somebody names another place. */
function placeOf({ manifest }: Campaign, out: string | undefined): Result<string, Refusal> {
  if (out !== undefined) return ok(resolve(out));
  if (manifest.outputs) return ok(join(manifest.folder, manifest.outputs.dir, 'report.html'));
  const detail = 'This manifest has `outputs: false`, so there is no output folder. Name a file with --out.';
  return err(refusal(EXIT.usage, { code: 'no-output-folder', summary: 'No place for the report', detail }));
}

function textOf({ file, bytes, posts, pictures }: WrittenReport): string {
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  return `${relative('', file)}: ${count(posts, 'post')}, ${count(pictures, 'picture')}, ${size}.\n`;
}
