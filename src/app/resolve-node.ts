import { splitTake } from '../model/address.ts';
import { commandText } from '../model/command-text.ts';
import type { Refusal } from '../model/problem.ts';
import { currentTake, type RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type Changing, changeState } from './change-state.ts';
import type { Campaign } from './campaign.ts';
import { recordRun } from './open-for-run.ts';
import { findOpen, misuse, type OpenNode, wrongId } from './resolve-find.ts';
import { lookUp } from './resolve-look-up.ts';
import type { Runtime } from './runtime.ts';

/** The user's decision: it exists under this id, it was not made, or it is given up. */
export type Decision =
  | { readonly type: 'created'; readonly id: string }
  | { readonly type: 'not-created' }
  | { readonly type: 'skipped' };

/** A decision as the log has it; `isSeen`: the service has confirmed the id. */
export interface Decided {
  readonly event: Extract<StateEvent, { type: 'resolved' }>;
  readonly isSeen: boolean;
  readonly was: OpenNode['status'];
  /** The command that requests a post anew that was given up. */
  readonly anew?: string;
}

interface Deciding {
  readonly address: string;
  readonly decision: Decision;
  /** Whether the service is asked for an id, where it can be. */
  readonly verify: boolean;
}

export function resolveNode(
  runtime: Runtime,
  campaign: Campaign,
  { lockTimeoutMs, ...deciding }: Deciding & { readonly lockTimeoutMs: number },
): Promise<Result<Decided, Refusal>> {
  const command = ['resolve', deciding.address, wordOf(deciding.decision)].join(' ');
  return changeState(runtime, { campaign, command, lockTimeoutMs }, async (changing) => {
    const made = await decide(runtime, campaign, { ...deciding, ...changing });
    if (made.ok) await recordRun(changing.open.recorder, [made.value.event], changing.at);
    return made;
  });
}

async function decide(
  runtime: Runtime,
  campaign: Campaign,
  { address, decision, verify, open: { state }, at }: Deciding & Changing,
): Promise<Result<Decided, Refusal>> {
  const found = findOpen(state, address);
  if (!found.ok) return found;
  const { status: was } = found.value;
  const event = { type: 'resolved' as const, at, address: found.value.address };
  if (decision.type === 'skipped') {
    const anew = replaceCommand(found.value, state, campaign.target);
    return ok({ event: { ...event, decision: 'skipped' }, isSeen: true, was, ...(anew && { anew }) });
  }
  if (was !== 'unknown') {
    const what = was === 'failed' ? 'has failed' : 'is being generated';
    return err(misuse(`${address} ${what}: it can only be given up with --skip, or requested again.`));
  }
  if (decision.type === 'not-created')
    return ok({ event: { ...event, decision: 'not-created' }, isSeen: true, was });
  const wrong = wrongId(decision.id, address, state);
  if (wrong) return err(wrong);
  const seen = await lookUp(runtime, decision.id, { address, campaign, state, verify });
  if (!seen.ok) return seen;
  const { result, isSeen } = seen.value;
  return ok({ event: { ...event, decision: 'created', result }, isSeen, was });
}

/** Only for the current take of a post, because an older one has been requested anew already. */
function replaceCommand({ address, take }: OpenNode, state: RunState, target: string): string | undefined {
  const { address: plain } = splitTake(address);
  const media = state.media.get(plain);
  if (!media || currentTake(media) !== take) return undefined;
  return commandText('apply', target, '--replace', plain);
}

function wordOf(decision: Decision): string {
  return decision.type === 'created' ? `--id ${decision.id}` : WORDS[decision.type];
}

const WORDS = { 'not-created': '--not-created', skipped: '--skip' } as const;
