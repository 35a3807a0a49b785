import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import { KINDS, storedAs } from '../model/kinds.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import { acceptInputs } from '../plan/accept.ts';
import { matchState } from '../match/match-state.ts';
import { moveEvents } from '../match/moves.ts';
import { unmatchedGlobs } from '../plan/select.ts';
import { matchesGlob } from '../util/match-glob.ts';
import { err, ok, type Result } from '../util/result.ts';
import { listState, type StateRow } from '../views/list-state.ts';
import { type Change, changeState, type Confirmation } from './change-state.ts';
import type { Campaign } from './campaign.ts';
import { noMatch } from './plan-campaign.ts';
import type { Runtime } from './runtime.ts';

interface AcceptedNodes {
  readonly accepted: readonly string[];
  /** Posts that show other products than before. */
  readonly leftOut: readonly string[];
}

interface NodesChange extends Omit<Change, 'command'> {
  readonly globs: readonly string[];
}

/** Records the present inputs of all posts that exist, or of what is named, and renames; sends nothing. */
export function acceptNodes(
  runtime: Runtime,
  campaign: Campaign,
  { globs, ...options }: NodesChange,
): Promise<Result<AcceptedNodes, Refusal>> {
  const { graph } = campaign;
  const change = { ...options, campaign, command: ['state accept', ...globs].join(' ') };
  return changeState(runtime, change, ({ state }, at) => {
    const matched = matchState(graph, state, campaign.decisions.verdicts);
    const [unmatched] = unmatchedGlobs(graph, matched, globs);
    if (unmatched !== undefined) return err(noMatch(unmatched));
    // A product or concept that is not named is updated by the next apply: new posts are not made of what it was before.
    const accepts = (address: string) =>
      globs.length ? globs.some((glob) => matchesGlob(glob, address)) : storedAs(address) === 'take';
    const { events: inputs, leftOut } = acceptInputs(graph, matched, { accepts, at });
    const events = [...moveEvents(matched.moves, at), ...inputs];
    const value = { accepted: inputs.map(({ address }) => address), leftOut };
    return ok({ value, ...(events.length ? { events } : {}) });
  });
}

/** Removes nodes from the state and gives their addresses; what exists at the service stays there. */
export function forgetNodes(
  runtime: Runtime,
  campaign: Campaign,
  { globs, ...options }: NodesChange,
): Promise<Result<readonly string[], Refusal>> {
  const change = { ...options, campaign, command: `state rm ${globs.join(' ')}` };
  return changeState(runtime, change, ({ state }, at) => {
    const rows = listState(state);
    const unmatched = globs.find((glob) => !rows.some(({ address }) => matchesGlob(glob, address)));
    if (unmatched !== undefined) return err(noMatch(unmatched));
    const chosen = rows.filter(({ address }) => globs.some((glob) => matchesGlob(glob, address)));
    const needed = whyNeeded(chosen, state);
    if (needed) return err(needed);
    const value = chosen.map(({ address }) => address);
    const events = value.map((address) => ({ type: 'forgotten' as const, at, address }));
    return ok({ value, events, question: questionOf(chosen, campaign) });
  });
}

function questionOf(chosen: readonly StateRow[], { manifest }: Campaign): Confirmation {
  const nodes = chosen.map(
    ({ address, status, id }) => `${address} (${status}${id === null ? '' : ` ${id}`})`,
  );
  const isPaid =
    manifest.environment.baseUrl !== EMULATOR && chosen.some(({ kind }) => KINDS[kind].stored === 'take');
  const cost = isPaid ? ', and pays for the posts' : '';
  return {
    what:
      `This takes out of the state: ${nodes.join(', ')}. What exists at the service stays there, and files stay where ` +
      `they are; the next apply makes again what the manifest asks for${cost}.`,
    question: 'Forget it?',
  };
}

/** Why a node has to stay: it waits for a decision, another node waits for it, or nothing would fetch its posts. */
function whyNeeded(chosen: readonly StateRow[], state: RunState): Refusal | undefined {
  const names = new Set(chosen.map(({ address }) => address));
  const undecided = chosen.find(({ status }) => status === 'unknown');
  if (undecided) {
    return inUse(
      `${undecided.address} may or may not exist at the service: forgotten, it would be created a second time. Decide ` +
        'it with `campaign resolve`.',
    );
  }
  for (const { address, status, payload } of state.requests.values()) {
    const sent = status === 'unknown' ? JSON.stringify(payload) : '';
    const used = [...names].find(
      (name) => storedAs(name) !== 'request' && sent.includes(JSON.stringify(name)),
    );
    if (used !== undefined)
      return inUse(
        `${address} was sent with ${used} and waits for a decision: resolve it first, then forget.`,
      );
    if (!names.has(address)) continue;
    const posts = [...state.media.values()].filter(
      (media) => !names.has(media.address) && media.takes.some(({ request }) => request === address),
    );
    if (posts.length) {
      const list = posts.map((media) => media.address).join(' ');
      return inUse(`${address} made posts that the state knows. Name them too: ${list}`);
    }
  }
  return undefined;
}

function inUse(detail: string): Refusal {
  return refusal(EXIT.usage, { code: 'in-use', summary: 'It cannot be forgotten yet', detail });
}
