/**
 * Changes that somebody has to agree to. Nobody is waited for under the lock: `work` takes the lock, and if nobody has
 * agreed yet it changes nothing. Then the question is asked, and after a yes `work` runs again from its beginning: the
 * agreement counts only if it would do the same.
 */
import { EXIT } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import { err, type Result } from '../util/result.ts';

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

/** Whether somebody has agreed to this, for a state of this version. */
export type Agreed = (confirmation: Confirmation, version: string) => boolean;

/** The result of work that has changed nothing because nobody has agreed yet. */
export const NOT_AGREED: Refusal = { exit: EXIT.refused, problems: [] };

export async function withConsent<T>(
  { isGiven, ask }: Consent,
  work: (agreed: Agreed) => Promise<Result<T, Refusal>>,
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
