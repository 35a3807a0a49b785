import type { Campaign } from '../app/campaign.ts';
import { readState, stateRefusal } from '../app/read-state.ts';
import { type Decision, resolveNode } from '../app/resolve-node.ts';
import { decidedText } from '../cli/decided-text.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { refuse } from '../cli/output.ts';
import { askDecisions, NO_ADDRESS, NO_DECISION } from '../cli/resolve-ask.ts';
import { loadFor, type Session } from '../cli/session.ts';
import { targetOf } from '../cli/target.ts';
import { ownTerminal } from '../cli/terminal.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import { err, ok } from '../util/result.ts';

export interface ResolveOptions extends ChangeOptions {
  readonly id?: string;
  readonly notCreated?: true;
  readonly skip?: true;
  /** `--no-verify` makes it false. */
  readonly verify: boolean;
}

/**
 * `campaign resolve [ADDR]`: decides an unknown create, or gives up a post; `--id` is checked with the service where it
 * can be. Without a decision it asks on the terminal, for one node or for all that are unknown.
 */
export async function resolve(session: Session<ResolveOptions>): Promise<ExitCode | Refusal> {
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
    async read() {
      const opened = await readState(campaign);
      if (!opened.ok) return opened;
      const { diverged, state } = opened.value;
      return diverged ? err(stateRefusal(diverged, campaign)) : ok(state);
    },
    async record(node, chosen) {
      const end = await record(node, chosen);
      return typeof end === 'number' ? end : refuse(end, output);
    },
  });
}

/** Records one decision, and shows it. */
function recorder(campaign: Campaign, { options, output, runtime }: Session<ResolveOptions>) {
  const { verify, lockTimeout: lockTimeoutMs } = options;
  return async (address: string, decision: Decision): Promise<ExitCode | Refusal> => {
    const decided = await resolveNode(runtime, campaign, { address, decision, verify, lockTimeoutMs });
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
