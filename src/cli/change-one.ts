import type { Campaign } from '../app/campaign.ts';
import type { Consenting } from '../app/change-state.ts';
import type { Runtime } from '../app/runtime.ts';
import { EXIT } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import type { Result } from '../util/result.ts';
import { consentOf } from './confirm.ts';
import type { ChangeOptions } from './options.ts';
import { type CommandEnd, loadFor, type Session } from './session.ts';

interface Changing<T> {
  readonly change: (runtime: Runtime, campaign: Campaign, options: Consenting) => Promise<Result<T, Refusal>>;
  /** `state` is the name of the state, `tick` what begins a line about something done. */
  readonly show: (
    value: T,
    names: { state: string; tick: string; target: string },
  ) => { json: object; text: string };
}

/** Makes a change of the state of one campaign that sends nothing, and shows what came of it. */
export async function changeOne<T>(
  session: Session<ChangeOptions>,
  file: string | undefined,
  { change, show }: Changing<T>,
): CommandEnd {
  const { options, output, runtime } = session;
  const campaign = await loadFor(session, file);
  if (!campaign.ok) return campaign.error;
  const consenting = { consent: consentOf(session), lockTimeoutMs: options.lockTimeout };
  const changed = await change(runtime, campaign.value, consenting);
  if (!changed.ok) return changed.error;
  const { store, target } = campaign.value;
  const tick = output.style.green('✓');
  const { json, text } = show(changed.value, { state: store.name, tick, target });
  output.answer(json, text);
  return EXIT.ok;
}
