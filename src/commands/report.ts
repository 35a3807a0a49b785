import { relative } from 'node:path';
import type { WrittenReport } from '../app/write-report.ts';
import { eachManifest, type TurnEnd } from '../cli/each-manifest.ts';
import type { SharedOptions } from '../cli/options.ts';
import { namesOf } from '../cli/output.ts';
import { targetInFolder } from '../cli/target.ts';
import { accountsOf, type CommandEnd, loadFor, manifestsOf, type Session } from '../cli/session.ts';
import { EXIT } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import { count } from '../util/count.ts';

interface ReportOptions extends SharedOptions {
  readonly out?: string;
}

export async function report(session: Session<ReportOptions>): CommandEnd {
  const files = await manifestsOf(session);
  if (!files.ok) return files.error;
  const { writeReport } = await import('../app/write-report.ts');
  const accounts = accountsOf(session, files.value);
  const take = async (
    file: string,
    { options, output, runtime, ...named }: Session<ReportOptions>,
  ): Promise<Refusal | TurnEnd> => {
    const loaded = await loadFor({ options, output, runtime, ...named }, file);
    if (!loaded.ok) return loaded.error;
    const written = await writeReport(runtime, loaded.value, {
      accounts,
      out: options.out,
      target: targetInFolder(file, options),
    });
    if (!written.ok) return written.error;
    const names = namesOf(loaded.value.manifest);
    const about = output.about(names);
    if (about.mode === 'json') about.json(written.value);
    else if (!about.isQuiet)
      (written.value.bytes === null ? about.progress : about.result)(textOf(written.value));
    return { ...names, exit: EXIT.ok };
  };
  return (await eachManifest(files.value, session, { take })).exit_code;
}

function textOf({ file, bytes, posts, pictures, missing, beside }: WrittenReport): string {
  const size = bytes === null ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`;
  const lack = missing === 0 ? '' : `, ${missing} of them not here or damaged`;
  const folder =
    beside === undefined ? '' : ` Its small pictures are in ${relative('', beside)}: move both together.`;
  const name = bytes === null ? file : relative('', file);
  return `${name}: ${count(posts, 'post')}, ${count(pictures, 'picture')}${lack}${size}.${folder}\n`;
}
