import { newState } from '../app/new-state.ts';
import { consentOf } from '../cli/confirm.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { loadFor, type Session } from '../cli/session.ts';
import { DEFAULT } from '../cli/target.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';

export async function stateNew(session: Session<ChangeOptions>): Promise<ExitCode | Refusal> {
  const { args, options, output, runtime } = session;
  const campaign = await loadFor(session, args[0] ?? DEFAULT);
  if (!campaign.ok) return campaign.error;
  const change = { consent: consentOf(session), lockTimeoutMs: options.lockTimeout };
  const begun = await newState(runtime, campaign.value, change);
  if (!begun.ok) return begun.error;
  const { name: state } = campaign.value.store;
  const lineage = begun.value ?? null;
  const text =
    lineage === null
      ? `There never was a state at ${state}: the first apply begins it.\n`
      : `${output.style.green('✓')} ${state} starts anew.\n`;
  output.answer({ state, lineage }, text);
  return EXIT.ok;
}
