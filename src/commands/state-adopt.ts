import { adoptState } from '../app/adopt-state.ts';
import { consentOf } from '../cli/confirm.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { loadFor, type Session } from '../cli/session.ts';
import { lastWord } from '../cli/target.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';

export async function stateAdopt(session: Session<ChangeOptions>): Promise<ExitCode | Refusal> {
  const { args, options, output, runtime } = session;
  const { file: manifest, word: file } = lastWord(args);
  const campaign = await loadFor(session, manifest);
  if (!campaign.ok) return campaign.error;
  const change = { file, consent: consentOf(session), lockTimeoutMs: options.lockTimeout };
  const adopted = await adoptState(runtime, campaign.value, change);
  if (!adopted.ok) return adopted.error;
  const { name: state } = campaign.value.store;
  const { from, known, place } = adopted.value;
  const text = `${output.style.green('✓')} ${from} is now ${state}, the state of ${place}.\n`;
  output.answer({ state, adopted: from, known }, text);
  return EXIT.ok;
}
