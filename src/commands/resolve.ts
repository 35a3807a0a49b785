import type { Campaign } from '../app/campaign.ts';
import { readWritable } from '../app/read-state.ts';
import { type Decision, resolveNode } from '../app/resolve-node.ts';
import { consentOf } from '../cli/confirm.ts';
import { decidedText } from '../cli/decided-text.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { tell } from '../cli/output.ts';
import { askDecisions, NO_ADDRESS, NO_DECISION } from '../cli/resolve-ask.ts';
import { type CommandEnd, loadFor, type Session } from '../cli/session.ts';
import { targetOf } from '../cli/target.ts';
import { ownTerminal } from '../cli/terminal.ts';
import { EXIT } from '../model/exit.ts';

interface ResolveOptions extends ChangeOptions {
  readonly id?: string;
  readonly notCreated?: true;
  readonly skip?: true;
  readonly verify: boolean;
}

/** Without a decision it asks on the terminal, for one node or for all that are unknown. */
export async function resolve(session: Session<ResolveOptions>): CommandEnd {
  const { options, output, runtime } = session;
  const decision = decisionOf(options);
  const { file, rest } = targetOf(session.args);
  const [address] = rest;
  if (decision && address === undefined) return NO_ADDRESS;
  const terminal = decision ? undefined : ownTerminal(runtime.clock);
  if (!decision && !terminal) return NO_DECISION;
  const loaded = await loadFor(session, file);
  if (!loaded.ok) return loaded.error;
  const campaign = loaded.value;
  const record = recorder(campaign, session);
  if (decision && address !== undefined) return record(address, decision);
  if (!terminal) return NO_DECISION;
  return askDecisions(address, {
    terminal,
    output,
    read: () => readWritable(campaign),
    record: async (node, chosen) => tell(await record(node, chosen), output),
  });
}

function recorder(campaign: Campaign, session: Session<ResolveOptions>) {
  const { options, output, runtime } = session;
  const { verify, lockTimeout: lockTimeoutMs } = options;
  const consent = consentOf(session);
  return async (address: string, decision: Decision): CommandEnd => {
    const resolving = { address, decision, verify, consent, lockTimeoutMs };
    const decided = await resolveNode(runtime, campaign, resolving);
    if (!decided.ok) return decided.error;
    const { event, isSeen } = decided.value;
    const json = { address: event.address, decision: event.decision, ...(isSeen ? {} : { verified: false }) };
    output.answer(json, decidedText(decided.value, output.style));
    return EXIT.ok;
  };
}

function decisionOf({ id, notCreated, skip }: ResolveOptions): Decision | undefined {
  if (id !== undefined) return { type: 'created', id };
  if (notCreated) return { type: 'not-created' };
  return skip ? { type: 'skipped' } : undefined;
}
