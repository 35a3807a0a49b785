import { acceptState } from '../app/accept-state.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { loadFor, type Session } from '../cli/session.ts';
import { targetOf } from '../cli/target.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';

export async function stateAccept(session: Session<ChangeOptions>): Promise<ExitCode | Refusal> {
  const { options, output, runtime } = session;
  const { file, rest: globs } = targetOf(session.args);
  const campaign = await loadFor(session, file);
  if (!campaign.ok) return campaign.error;
  const accepted = await acceptState(runtime, campaign.value, { globs, lockTimeoutMs: options.lockTimeout });
  if (!accepted.ok) return accepted.error;
  const lines = accepted.value.map((address) => `${output.style.green('✓')} ${address} accepted\n`);
  const nothing = 'Nothing to accept: what exists is what the manifest asks for.\n';
  output.answer({ accepted: accepted.value }, lines.join('') || nothing);
  return EXIT.ok;
}
