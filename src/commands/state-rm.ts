import { forgetNodes } from '../app/forget-nodes.ts';
import { consentOf } from '../cli/confirm.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { loadFor, type Session } from '../cli/session.ts';
import { targetOf } from '../cli/target.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';

export async function stateRm(session: Session<ChangeOptions>): Promise<ExitCode | Refusal> {
  const { args, options, output, runtime, misuse } = session;
  const { file, rest: globs } = targetOf(args);
  if (!globs.length) misuse('error: name the nodes to forget, e.g. product/tote');
  const campaign = await loadFor(session, file);
  if (!campaign.ok) return campaign.error;
  const consent = consentOf(session);
  const change = { globs, consent, lockTimeoutMs: options.lockTimeout };
  const forgotten = await forgetNodes(runtime, campaign.value, change);
  if (!forgotten.ok) return forgotten.error;
  const lines = forgotten.value.map((address) => `${output.style.green('✓')} ${address} forgotten\n`);
  output.answer({ forgotten: forgotten.value }, lines.join(''));
  return EXIT.ok;
}
