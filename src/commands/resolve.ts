import type { Campaign } from '../app/campaign.ts';
import { readWritable } from '../app/read-state.ts';
import { type Decision, resolveNode } from '../app/resolve-node.ts';
import { EVERYTHING, resolveNodes, type Wish } from '../app/resolve-nodes.ts';
import { consentOf } from '../cli/confirm.ts';
import { decidedNodesText, decidedText } from '../cli/decided-text.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { tell } from '../cli/output.ts';
import { askDecisions, NO_ADDRESS, NO_DECISION } from '../cli/resolve-ask.ts';
import { type CommandEnd, loadFor, type Session } from '../cli/session.ts';
import { targetOf } from '../cli/target.ts';
import { ownTerminal } from '../cli/terminal.ts';
import { EXIT } from '../model/exit.ts';
import { refusal } from '../model/problem.ts';
import { hasWildcard } from '../util/match-glob.ts';

interface ResolveOptions extends ChangeOptions {
  readonly id?: readonly string[];
  readonly notCreated?: true;
  readonly skip?: true;
  readonly find?: true;
  readonly all?: true;
  readonly verify: boolean;
}

/** Without a decision it asks on the terminal, for one node or for all that are unknown. */
export async function resolve(session: Session<ResolveOptions>): CommandEnd {
  const { options, output, runtime } = session;
  const { file, rest } = targetOf(session.args);
  const [address] = rest;
  if (options.all && address !== undefined) return ALL_AND_ONE;
  const decision = decisionOf(options);
  const wish = wishOf(options, address);
  if (decision && !wish && address === undefined) return NO_ADDRESS;
  const terminal = decision ? undefined : ownTerminal(runtime.clock);
  if (!decision && !terminal) return NO_DECISION;
  const loaded = await loadFor(session, file);
  if (!loaded.ok) return loaded.error;
  const campaign = loaded.value;
  if (wish) return resolveMany(session, campaign, { wish, glob: address ?? EVERYTHING });
  const record = recorder(campaign, session);
  if (decision && decision.type !== 'find' && address !== undefined) return record(address, decision);
  if (!terminal) return NO_DECISION;
  return askDecisions(address ?? EVERYTHING, {
    terminal,
    output,
    graph: campaign.graph,
    read: () => readWritable(campaign),
    record: async (node, chosen) => tell(await record(node, chosen), output),
  });
}

async function resolveMany(
  session: Session<ResolveOptions>,
  campaign: Campaign,
  resolving: { readonly wish: Wish; readonly glob: string },
): CommandEnd {
  const { options, output, runtime } = session;
  const consenting = { consent: consentOf(session), lockTimeoutMs: options.lockTimeout };
  const decided = await resolveNodes(runtime, campaign, { ...resolving, ...consenting });
  if (!decided.ok) return decided.error;
  const { decided: all, left, pending } = decided.value;
  const resolved = all.map(({ event: { address, decision, result } }) => ({
    address,
    decision,
    ...(result && 'id' in result ? { id: result.id } : {}),
  }));
  output.answer({ resolved, left, pending }, decidedNodesText(decided.value, output.style));
  return left.length ? EXIT.undecided : EXIT.ok;
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

function decisionOf({ id: [id] = [], notCreated, skip, find }: ResolveOptions): Decision | Wish | undefined {
  if (find) return { type: 'find', ids: [] };
  if (id !== undefined) return { type: 'created', id };
  if (notCreated) return { type: 'not-created' };
  return skip ? { type: 'skipped' } : undefined;
}

/** Where the decision is about several nodes, or which one it is about is to be found out. */
function wishOf(
  { id: ids = [], notCreated, skip, find, all }: ResolveOptions,
  address = '',
): Wish | undefined {
  const isMany = all || ids.length > 1 || hasWildcard(address);
  if (find || (isMany && ids.length)) return { type: 'find', ids };
  if (!isMany) return undefined;
  if (notCreated) return { type: 'not-created' };
  return skip ? { type: 'skipped' } : undefined;
}

const ALL_AND_ONE = refusal(EXIT.usage, {
  code: 'all-and-one',
  summary: 'All nodes, or one',
  detail: '--all is about everything that is open: leave out the address, or leave out --all.',
});
