import type { Campaign } from '../app/campaign.ts';
import { readState, stateRefusal } from '../app/read-state.ts';
import { type Decided, type Decision, resolveNode } from '../app/resolve-node.ts';
import { consentOf } from '../cli/confirm.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { tell } from '../cli/output.ts';
import { askDecisions } from '../cli/resolve-ask.ts';
import { loadFor, type Session } from '../cli/session.ts';
import { targetOf } from '../cli/target.ts';
import { ownTerminal } from '../cli/terminal.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { storedAs } from '../model/kinds.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { Style } from '../render/style.ts';
import { err, ok } from '../util/result.ts';

interface ResolveOptions extends ChangeOptions {
  readonly id?: string;
  readonly notCreated?: true;
  readonly skip?: true;
  /** `--no-verify` makes it false. */
  readonly verify: boolean;
}

/** Without a decision it asks on the terminal, for one node or for all that are unknown. */
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
    record: async (node, chosen) => tell(await record(node, chosen), output),
  });
}

function recorder(campaign: Campaign, session: Session<ResolveOptions>) {
  const { options, output, runtime } = session;
  const { verify, lockTimeout: lockTimeoutMs } = options;
  const consent = consentOf(session);
  return async (address: string, decision: Decision): Promise<ExitCode | Refusal> => {
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

function decidedText(decided: Decided, style: Style): string {
  const { event, isSeen, anew } = decided;
  const words = {
    created: 'is recorded as created',
    'not-created': 'is recorded as not created: the next apply requests it',
    skipped: `is given up: ${skippedWords(decided)}`,
  };
  return [
    `${style.green('✓')} ${event.address} ${words[event.decision]}.\n`,
    ...(anew === undefined
      ? []
      : [`  It may have been paid for. \`${anew}\` requests it anew, and pays for it again.\n`]),
    ...(isSeen ? [] : ['  The service was not asked for it: the id is taken as it was given.\n']),
  ].join('');
}

function skippedWords({ event: { address }, was, anew }: Decided): string {
  if (storedAs(address) === 'files') return 'no run fetches it any more';
  const again = 'it is not requested again until it changes';
  if (was !== 'pending') return again;
  // An older take has been requested again already.
  return `no run waits for it or fetches it${anew === undefined ? '' : `, and ${again}`}`;
}

const NO_DECISION = refusal(EXIT.usage, {
  code: 'no-decision',
  summary: 'No decision',
  detail:
    'Say what became of it: --id UUID, --not-created or --skip. On a terminal `campaign resolve` shows what is known of ' +
    'each unknown node and asks.',
});

const NO_ADDRESS = refusal(EXIT.usage, {
  code: 'no-address',
  summary: 'No node',
  detail: 'Name the node that the decision is about. `campaign status` lists what is open.',
});
