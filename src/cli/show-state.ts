import type { Campaign } from '../app/campaign.ts';
import { lookAtState } from '../app/read-state.ts';
import { EXIT } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import type { OpenState, Visit } from '../store/store.ts';
import { type CommandEnd, loadUnread, type Session } from './session.ts';

/** Shows something of a state that is only read, without the photos; `show` gives why it cannot, or nothing. */
export async function showState(
  session: Session,
  file: string | undefined,
  show: (open: OpenState, campaign: Campaign) => Promise<Refusal | void> | Refusal | void,
  visit?: Visit,
): CommandEnd {
  const campaign = await loadUnread(session, file);
  if (!campaign.ok) return campaign.error;
  const opened = await lookAtState(
    session.runtime,
    campaign.value,
    campaign.value.store.reader(() => visit),
  );
  if (!opened.ok) return opened.error;
  return (await show(opened.value, campaign.value)) ?? EXIT.ok;
}
