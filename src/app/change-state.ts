import { EXIT, type ExitCode } from '../model/exit.ts';
import type { WritableState } from '../store/file/open-state.ts';
import type { WriteOptions } from '../store/file/open-options.ts';
import { diskProblem } from './disk-problem.ts';
import { type Campaign, loadCampaign } from './load-campaign.ts';
import { openForRun } from './open-for-run.ts';
import type { SharedOptions } from '../cli/options.ts';
import { createOutput, type Output, type Refusal, refuse } from '../cli/output.ts';
import { thenClose } from './then-close.ts';

/** Flags of commands that change the state and send nothing. */
export interface ChangeOptions extends SharedOptions {
  readonly lockTimeout: number;
  readonly yes?: true;
}

interface Change extends Pick<WriteOptions, 'allow'> {
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
  const { lockTimeout } = options;
  return changeLoaded({ ...change, campaign: loaded.value, output, lockTimeout }, work);
}

interface ChangeLoaded extends Omit<Change, 'file'>, Pick<Changing, 'campaign' | 'output'> {
  readonly lockTimeout: number;
}

/** The same where the campaign is loaded already. */
export async function changeLoaded(
  { campaign, output, command, allow, lockTimeout }: ChangeLoaded,
  work: (changing: Changing) => Promise<ExitCode | Refusal>,
): Promise<ExitCode> {
  const opened = await openForRun(campaign, { command, lockTimeoutMs: lockTimeout, allow });
  if (!opened.ok) return refuse(opened.error, output);
  const open = opened.value;
  for (const warning of open.warnings) output.progress(`  ! ${warning}\n`);
  const { exit } = await thenClose(open, { output }, async () => {
    try {
      const end = await work({ campaign, open, output, at: new Date().toISOString() });
      return { exit: typeof end === 'number' ? end : refuse(end, output) };
    } catch (error) {
      const problem = diskProblem(error);
      if (!problem) throw error;
      return { exit: refuse({ exit: EXIT.cannotWrite, diagnostics: [problem] }, output) };
    }
  });
  return exit;
}
