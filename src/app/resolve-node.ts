import { mediaOf, splitTake, takeAddress } from '../model/address.ts';
import { commandText } from '../model/command-text.ts';
import { EXIT } from '../model/exit.ts';
import { storedAs } from '../model/kinds.ts';
import { type Problem, refusal, type Refusal } from '../model/problem.ts';
import { currentTake, type RunState, type TakeState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import { isId, isSameId } from '../service/read-id.ts';
import { err, ok, type Result } from '../util/result.ts';
import { whyTooEarly } from './answer-may-come.ts';
import { type Consenting, changeState } from './change-state.ts';
import type { Campaign } from './campaign.ts';
import { lookUp } from './resolve-look-up.ts';
import type { Runtime } from './runtime.ts';

export type Decision =
  | { readonly type: 'created'; readonly id: string }
  | { readonly type: 'not-created' }
  | { readonly type: 'skipped' };

/** A decision as the log has it; `isSeen`: the service has confirmed the id. */
export interface Decided {
  readonly event: Extract<StateEvent, { type: 'resolved' }>;
  readonly isSeen: boolean;
  readonly was: OpenNode['status'];
  /** Nobody had to say it: the service or the emulator's ledger did. */
  readonly isFound?: true;
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
  { consent, lockTimeoutMs, ...deciding }: Deciding & Consenting,
): Promise<Result<Decided, Refusal>> {
  const { address, decision } = deciding;
  const word = { created: '--id', 'not-created': '--not-created', skipped: '--skip' }[decision.type];
  const command = ['resolve', address, word, ...('id' in decision ? [decision.id] : [])].join(' ');
  return changeState(runtime, { campaign, command, consent, lockTimeoutMs }, async ({ state }, at) => {
    const made = await decide(runtime, campaign, { ...deciding, state, at });
    return made.ok ? ok({ value: made.value, events: [made.value.event] }) : made;
  });
}

async function decide(
  runtime: Runtime,
  campaign: Campaign,
  { address, decision, verify, state, at }: Deciding & { readonly state: RunState; readonly at: string },
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
  const early = decision.type === 'not-created' && whyTooEarly([address], { ...campaign, state, at });
  if (early) return err(early);
  if (decision.type === 'not-created')
    return ok({ event: { ...event, decision: 'not-created' }, isSeen: true, was });
  const wrong = wrongId(decision.id, address, state);
  if (wrong) return err(wrong);
  const seen = await lookUp(runtime, campaign, { id: decision.id, address, state, verify });
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

/** A node that waits for a decision, was given up or can be; `take` is that of a post or a download. */
export interface OpenNode {
  readonly address: string;
  readonly status: 'unknown' | 'failed' | 'pending';
  readonly take?: TakeState;
  readonly problem?: Problem | undefined;
}

export function findOpen(state: RunState, address: string): Result<OpenNode, Refusal> {
  const node = state.objects.get(address) ?? state.requests.get(address);
  // Given up by --skip, which may be taken back.
  const isOpen = node?.status === 'unknown' || (node?.status === 'skipped' && !node.result);
  if (isOpen) return ok({ address, status: 'unknown' });
  // Refused by the service: every run tries it again, unless it is given up.
  const object = state.objects.get(address);
  if (object?.status === 'failed' && !object.result)
    return ok({ address, status: 'failed', problem: object.problem });
  const { address: plain, take: n } = splitTake(mediaOf(address));
  const media = state.media.get(plain);
  const take = media && (n === undefined ? currentTake(media) : media.takes.find((each) => each.n === n));
  if (take?.status === 'unknown') {
    return err(misuse(`${address} waits for its request: resolve ${take.request}.`));
  }
  if (take?.status === 'done' && !take.files && storedAs(address) === 'files') {
    return ok(failedTake(splitTake(address).address, take));
  }
  if (take && (take.status === 'failed' || take.status === 'lost')) {
    return ok(failedTake(plain, take));
  }
  if (take?.status === 'pending') return ok({ address: takeAddress(plain, take.n), status: 'pending', take });
  if (!node && !take) {
    return err(misuse(`${address} is not in the state. \`campaign status\` lists what is open.`));
  }
  const older = media?.takes.find(({ status }) => status === 'pending');
  const hint = older ? ` Its take ${takeAddress(plain, older.n)} is pending: name that one.` : '';
  return err(misuse(`${address} is neither unknown, failed nor pending: there is nothing to decide.${hint}`));
}

function failedTake(plain: string, take: TakeState): OpenNode {
  return { address: takeAddress(plain, take.n), status: 'failed', take, problem: take.problem };
}

function wrongId(id: string, address: string, { objects, requests }: RunState): Refusal | undefined {
  if (!isId(id)) {
    return wrong(
      `--id ${id} is none: the ids of the service have letters, digits, \`-\` and \`_\`, at most 128.`,
    );
  }
  const owner = [...objects.values(), ...requests.values()].find(
    ({ address: its, result }) =>
      its !== address && result && 'id' in result && isSameId(result.id ?? '', id),
  );
  return owner && wrong(`--id ${id} is the id of ${owner.address}.`);
}

function wrong(detail: string): Refusal {
  return refusal(EXIT.usage, { code: 'wrong-id', summary: 'This cannot be its id', detail });
}

function misuse(detail: string): Refusal {
  return refusal(EXIT.usage, { code: 'nothing-to-resolve', summary: 'Nothing to resolve', detail });
}
