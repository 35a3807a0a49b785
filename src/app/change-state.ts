/**
 * Changes of the state that send nothing. Nobody is waited for under the lock: what somebody has to agree to is proposed
 * under the lock, and nothing is recorded yet. Then the question is asked, and after a yes it is proposed again: the
 * agreement counts only if it is the same.
 */
import { EXIT } from '../model/exit.ts';
import { NO_NODES } from '../model/node-counts.ts';
import type { Refusal } from '../model/problem.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { WritableState } from '../store/store.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { diskExit, diskProblem } from './disk-problem.ts';
import { type LogRun, openForRun, thenClose } from './open-for-run.ts';
import { runFinished } from './run-end.ts';
import { type Runtime, timestamp } from './runtime.ts';

export interface Confirmation {
  readonly what: string;
  readonly question: string;
  /** The reasons, which are shown also where the answer was given beforehand. */
  readonly shown?: string;
}

export interface Consent {
  readonly isGiven: (confirmation: Confirmation) => boolean;
  /** Undefined means yes. It is asked again if the state changes meanwhile. */
  readonly ask: (confirmation: Confirmation) => Promise<Refusal | undefined>;
}

/** The result of work that has changed nothing because nobody has agreed yet. */
export const NOT_AGREED: Refusal = { exit: EXIT.needsConsent, problems: [] };

/** `agreed`: whether somebody has agreed to this, for a state of this version. */
export async function withConsent<T>(
  { isGiven, ask }: Consent,
  work: (agreed: (confirmation: Confirmation, version: string) => boolean) => Promise<Result<T, Refusal>>,
): Promise<Result<T, Refusal>> {
  let answered: string | undefined;
  for (;;) {
    let unasked = undefined as Confirmation | undefined;
    let subject: string | undefined;
    const end = await work((confirmation, version) => {
      subject = `${version}\n${confirmation.what}`;
      const isAgreed = isGiven(confirmation) || subject === answered;
      unasked = isAgreed ? undefined : confirmation;
      return isAgreed;
    });
    if (end.ok || end.error !== NOT_AGREED || !unasked) return end;
    const declined = await ask(unasked);
    if (declined) return err(declined);
    answered = subject;
  }
}

export interface Change extends LogRun {
  readonly consent: Consent;
}

export type Consenting = Pick<Change, 'consent' | 'lockTimeoutMs'>;

interface Proposal<T> {
  readonly value: T;
  /** Recorded in one commit, as a run of its own; without it nothing is recorded. */
  readonly events?: readonly StateEvent[];
  readonly question?: Confirmation | undefined;
}

/** `at` is ISO 8601. */
type Propose<T, State> = (
  open: State,
  at: string,
) => Result<Proposal<T>, Refusal> | Promise<Result<Proposal<T>, Refusal>>;

export function changeState<T>(
  runtime: Runtime,
  { campaign, consent, ...run }: Change & { readonly campaign: Campaign },
  propose: Propose<T, WritableState>,
): Promise<Result<T, Refusal>> {
  return changeOpened(runtime, { consent, open: () => openForRun(runtime, campaign, run) }, propose);
}

/** An error of the disk, also in closing, is for the user to correct. */
export function changeOpened<T, State extends WritableState>(
  runtime: Runtime,
  { consent, open }: { consent: Consent; open: () => Promise<Result<State, Refusal>> },
  propose: Propose<T, State>,
): Promise<Result<T, Refusal>> {
  return withConsent(consent, async (agreed) => {
    const opened = await open();
    if (!opened.ok) return opened;
    const state = opened.value;
    const { version, recorder, warnings } = state;
    for (const summary of warnings) runtime.emit({ type: 'warning', summary });
    async function change(): Promise<Result<T, Refusal>> {
      const at = timestamp(runtime);
      const proposed = await propose(state, at);
      if (!proposed.ok) return proposed;
      const { value, events, question } = proposed.value;
      if (question && !agreed(question, version)) return err(NOT_AGREED);
      if (events) await recorder.append([...events, runFinished({ exit: EXIT.ok, counts: NO_NODES }, at)]);
      return ok(value);
    }
    const { exit, result } = await thenClose(runtime, state, {
      async run() {
        const result = await change().catch(refusedByDisk);
        return { result, exit: result.ok ? EXIT.ok : result.error.exit };
      },
    });
    if (result.ok) return exit === EXIT.ok ? result : err({ exit, problems: [] });
    return exit === result.error.exit ? result : err({ ...result.error, exit });
  });
}

function refusedByDisk(error: unknown): Result<never, Refusal> {
  const problem = diskProblem(error);
  if (!problem) throw error;
  return err({ exit: diskExit(error), problems: [problem] });
}
