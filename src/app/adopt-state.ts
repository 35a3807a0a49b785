import type { Refusal } from '../model/problem.ts';
import { type Adoption, stateInFile } from '../store/store.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type Change, changeOpened } from './change-state.ts';
import { type Confirmation, NOT_AGREED, withConsent } from './consent.ts';
import type { Campaign } from './campaign.ts';
import { recordRun, writingOf } from './open-for-run.ts';
import { identityOf, stateRefusal } from './read-state.ts';
import { isBound, identityText, reboundEvent } from './rebind-state.ts';
import type { Runtime } from './runtime.ts';

/** The adopted file, and what its state belongs to now. */
export interface Adopted {
  readonly from: string;
  readonly known: number;
  readonly place: string;
}

interface Adopting extends Required<Pick<Change, 'lockTimeoutMs' | 'consent'>> {
  /** The state to adopt. */
  readonly file: string;
}

/** Binds a state under another name to this campaign, and gives it its proper name. */
export async function adoptState(
  runtime: Runtime,
  campaign: Campaign,
  { file: path, lockTimeoutMs, consent }: Adopting,
): Promise<Result<Adopted, Refusal>> {
  const file = stateInFile(campaign.store);
  if (!file.ok) return err(stateRefusal(file.error, campaign));
  const identity = identityOf(campaign.manifest);
  const place = identityText(identity);
  return withConsent(consent, async (agreed) => {
    const run = writingOf(runtime, campaign, { command: 'state adopt', lockTimeoutMs });
    const opened = await file.value.adopt(path, run);
    if (!opened.ok) return err(stateRefusal(opened.error, campaign));
    return changeOpened(runtime, { open: opened.value, agreed }, async ({ open, at }) => {
      const { header, known, from, version, recorder } = open;
      if (!agreed(questionOf(open, place), version)) return err(NOT_AGREED);
      await recordRun(recorder, isBound(header, identity) ? [] : [reboundEvent(identity, at)], at);
      return ok({ from, known, place });
    });
  });
}

function questionOf({ from, to, known, header, succeeds }: Adoption, place: string): Confirmation {
  const before = succeeds
    ? ` Another state was ${to} before: what only that one knows would be paid for again.`
    : '';
  const what =
    `${from} knows ${known} nodes and is the state of ${identityText(header)}. It ` +
    `becomes ${to}, the state of ${place}, and its nodes are taken for what exists there.${before}`;
  return { what, question: 'Adopt it?' };
}
