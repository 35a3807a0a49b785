import { resolve } from 'node:path';
import { noticed } from '../cli/noticed.ts';
import type { NoticeOptions } from '../cli/options.ts';
import { refuseRun } from '../cli/output.ts';
import { type CommandEnd, loadUnread, manifestsOf, type Session } from '../cli/session.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import { STDIN } from '../model/manifest-file.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { filesOfState, type FilesOfState } from '../store/open-store.ts';
import { err, ok, type Result } from '../util/result.ts';

interface FilesOptions extends NoticeOptions {
  readonly refuse?: string;
}

/** For scripts that keep the state somewhere, such as in git: they ask before an apply, with its arguments. */
export async function stateFiles(session: Session<FilesOptions>): CommandEnd {
  const { options, output } = session;
  if (options.refuse !== undefined) return refuseApply(session, notKept(options.refuse));
  const files = await manifestsOf(session);
  if (!files.ok) return refuseApply(session, files.error);
  const found: { readonly manifest: string; readonly files: FilesOfState | 'none' }[] = [];
  const refused: Refusal[] = [];
  for (const manifest of files.value) {
    const one = await filesFor(session, manifest);
    if (one.ok) found.push({ manifest, files: one.value });
    else refused.push(one.error);
  }
  const exit = strongestExit(refused.map((one) => one.exit));
  const problems = refused.flatMap((one) => one.problems);
  // If there is one that can be applied, apply itself refuses the others, and says so.
  if (!found.length) return refuseApply(session, { exit, problems });
  output.problems(problems);
  for (const { manifest, files: named } of found) {
    if (named === 'none') continue;
    const { state, decisions, kept } = named;
    if (output.mode === 'json') output.about({ manifest }).json(named);
    else output.data([state, decisions, ...kept].map((name) => `${name}\n`).join(''), 'csv');
  }
  return exit;
}

/** As apply would: with its heartbeat, and whoever is to be told. */
function refuseApply(session: Session<FilesOptions>, why: Refusal): Promise<ExitCode> {
  return noticed(session, ({ output }) => Promise.resolve(refuseRun(why, output)));
}

async function filesFor(session: Session, file: string): Promise<Result<FilesOfState | 'none', Refusal>> {
  // Whoever runs this wants to run apply afterwards, and it would find nothing more to read.
  if (file === STDIN) return err(ON_STDIN);
  const campaign = await loadUnread(session, file);
  if (!campaign.ok) return campaign;
  const { manifest, stateFolder, workFolder, stateFile, pointerFile } = campaign.value;
  if (manifest.environment.baseUrl === EMULATOR && resolve(stateFolder) === workFolder) return ok('none');
  const files = await filesOfState(stateFile, pointerFile);
  const isListable = session.output.mode === 'json' || !files.state.includes('\n');
  return isListable ? ok(files) : err(lineBreak(files.state));
}

function notKept(detail: string): Refusal {
  const summary = 'The state cannot be kept';
  return refusal(EXIT.failed, { code: 'state-not-kept', summary, detail });
}

const ON_STDIN = refusal(EXIT.usage, {
  code: 'manifest-on-stdin',
  summary: 'The manifest is on standard input',
  detail: 'It can be read only once, and apply has to read it, too. Write it to a file, and name that.',
});

function lineBreak(file: string): Refusal {
  return refusal(EXIT.usage, {
    code: 'line-break',
    summary: 'A line break in the name of a state',
    detail: `${JSON.stringify(file)} is no line of a list. Give the file or its folder another name, or use --json.`,
  });
}
