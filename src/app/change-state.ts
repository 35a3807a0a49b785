import { EXIT } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import type { WritableState } from '../store/store.ts';
import { err, type Result } from '../util/result.ts';
import { type Agreed, type Consent, withConsent } from './consent.ts';
import { diskProblem } from './disk-problem.ts';
import type { Campaign } from './campaign.ts';
import { openForRun, type LogRun } from './open-for-run.ts';
import { type Runtime, timestamp } from './runtime.ts';
import { thenClose } from './then-close.ts';

/** For changes of the state that send nothing. */
export interface Change extends LogRun {
  readonly consent?: Consent;
}

export interface Changing<State extends WritableState = WritableState> {
  readonly open: State;
  /** ISO 8601. */
  readonly at: string;
  readonly agreed: Agreed;
}

type Work<T, State extends WritableState> = (changing: Changing<State>) => Promise<Result<T, Refusal>>;

/** Opens the state for writing, runs `work` on it, and closes it. */
export function changeState<T>(
  runtime: Runtime,
  { campaign, ...change }: Change & { readonly campaign: Campaign },
  work: Work<T, WritableState>,
): Promise<Result<T, Refusal>> {
  const { consent = NOBODY, ...options } = change;
  return withConsent(consent, async (agreed) => {
    const opened = await openForRun(runtime, campaign, options);
    return opened.ok ? changeOpened(runtime, { open: opened.value, agreed }, work) : opened;
  });
}

/** For a change that needs no agreement. */
const NOBODY: Consent = { isGiven: () => true, ask: () => Promise.resolve(undefined) };

/** As `changeState`, for an open state. An error of the disk, also in closing, is for the user to correct. */
export async function changeOpened<T, State extends WritableState>(
  runtime: Runtime,
  { open, agreed }: Pick<Changing<State>, 'open' | 'agreed'>,
  work: Work<T, State>,
): Promise<Result<T, Refusal>> {
  for (const summary of open.warnings) runtime.emit({ type: 'warning', summary });
  const { exit, result } = await thenClose(runtime, open, {
    async run() {
      const result = await work({ open, at: timestamp(runtime), agreed }).catch(refusedByDisk);
      return { result, exit: result.ok ? EXIT.ok : result.error.exit };
    },
  });
  if (result.ok) return exit === EXIT.ok ? result : err({ exit, problems: [] });
  return exit === result.error.exit ? result : err({ ...result.error, exit });
}

function refusedByDisk(error: unknown): Result<never, Refusal> {
  const problem = diskProblem(error);
  if (!problem) throw error;
  return err({ exit: EXIT.cannotWrite, problems: [problem] });
}
