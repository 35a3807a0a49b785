import { EXIT, type ExitCode } from '../model/exit.ts';
import type { WritableState, Writing } from '../store/store.ts';
import { type Agreed, withConsent } from '../cli/confirm.ts';
import { diskProblem } from './disk-problem.ts';
import { type Campaign, loadCampaign } from './load-campaign.ts';
import { openForRun } from './open-for-run.ts';
import type { SharedOptions } from '../cli/options.ts';
import type { Refusal } from '../model/problem.ts';
import { createOutput, type Output, refuse } from '../cli/output.ts';
import { thenClose } from './then-close.ts';

/** Flags of commands that change the state and send nothing. */
export interface ChangeOptions extends SharedOptions {
  readonly lockTimeout: number;
  readonly yes?: true;
}

interface Change extends Pick<Writing, 'allow'> {
  readonly file: string;
  /** As the history shows it. */
  readonly command: string;
}

/** What a command works on: the state is locked and open. */
export interface Changing {
  readonly campaign: Campaign;
  readonly open: WritableState;
  readonly output: Output;
  /** ISO 8601. */
  readonly at: string;
  /** Whether a change may be made that needs a yes; where not, the command ends with 5, and is called again after one. */
  readonly agreed: Agreed;
}

/** Opens the state of a manifest for writing, runs a command on it, and closes it; tells what stands in the way. */
export async function changeState(
  { file, ...change }: Change,
  options: ChangeOptions,
  work: (changing: Changing) => Promise<ExitCode | Refusal>,
): Promise<ExitCode> {
  const output = createOutput(options);
  const loaded = await loadCampaign(file, options, { need: 'environment', output });
  if (!loaded.ok) return refuse(loaded.error, output);
  return changeLoaded({ ...change, campaign: loaded.value, output, options }, work);
}

interface ChangeLoaded extends Omit<Change, 'file'>, Pick<Changing, 'campaign' | 'output'> {
  readonly options: ChangeOptions;
}

/** The same where the campaign is loaded already. */
export function changeLoaded(
  change: ChangeLoaded,
  work: (changing: Changing) => Promise<ExitCode | Refusal>,
): Promise<ExitCode> {
  return withConsent(change.options, change.output, (agreed) => changeOpened(change, agreed, work));
}

async function changeOpened(
  { campaign, output, command, allow, options }: ChangeLoaded,
  agreed: Agreed,
  work: (changing: Changing) => Promise<ExitCode | Refusal>,
): Promise<ExitCode> {
  const opened = await openForRun(campaign, { command, lockTimeoutMs: options.lockTimeout, allow });
  if (!opened.ok) return refuse(opened.error, output);
  const open = opened.value;
  for (const warning of open.warnings) output.progress(`  ! ${warning}\n`);
  const { exit } = await thenClose(open, { output }, async () => {
    try {
      const end = await work({ campaign, open, output, at: new Date().toISOString(), agreed });
      return { exit: typeof end === 'number' ? end : refuse(end, output) };
    } catch (error) {
      const problem = diskProblem(error);
      if (!problem) throw error;
      return { exit: refuse({ exit: EXIT.cannotWrite, problems: [problem] }, output) };
    }
  });
  return exit;
}
