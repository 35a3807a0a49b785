import { rebindState } from '../app/rebind-state.ts';
import { consentOf } from '../cli/confirm.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { loadFor, type Session } from '../cli/session.ts';
import { DEFAULT } from '../cli/target.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';

export async function stateRebind(session: Session<ChangeOptions>): Promise<ExitCode | Refusal> {
  const { args, options, output, runtime } = session;
  const campaign = await loadFor(session, args[0] ?? DEFAULT);
  if (!campaign.ok) return campaign.error;
  const change = { consent: consentOf(session), lockTimeoutMs: options.lockTimeout };
  const rebound = await rebindState(runtime, campaign.value, change);
  if (!rebound.ok) return rebound.error;
  const { name: state } = campaign.value.store;
  const { type, known, place } = rebound.value;
  const isRebound = type === 'rebound';
  const words = {
    'no-state': `Nothing to rebind: there is no state at ${state}.`,
    'as-before': `Nothing to rebind: ${state} is the state of ${place}.`,
    rebound: `${output.style.green('✓')} ${state} is now the state of ${place}.`,
  };
  output.answer({ state, rebound: isRebound, ...(isRebound ? { known } : {}) }, `${words[type]}\n`);
  return EXIT.ok;
}
