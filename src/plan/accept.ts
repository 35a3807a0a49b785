/** Accepts edits of what exists: nothing is sent, and the next plan does not mention them. */
import { withEvents } from '../log/with-events.ts';
import { type Address, takeAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { currentTake } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import { heldEdits } from './decide-post.ts';
import type { PlanDraft } from './draft-plan.ts';
import type { MatchedItem, MatchedState } from '../match/match-state.ts';
import { moveEvents } from '../match/moves.ts';
import { findShown } from '../match/shown-products.ts';

type Accepted = Extract<StateEvent, { type: 'accepted' }>;

interface AcceptedInputs {
  readonly events: readonly Accepted[];
  /** Posts that show other products than before: no picture is taken for another product's. */
  readonly leftOut: readonly Address[];
}

/** For everything that exists and differs. `accepts` is asked for addresses without take. */
export function acceptInputs(
  graph: Graph,
  { state, posts }: MatchedState,
  { accepts, at }: { accepts: (address: Address) => boolean; at: string },
): AcceptedInputs {
  const objects = [...graph.objects.values()].flatMap(({ address, inputs, fingerprint }): Accepted[] => {
    const known = state.objects.get(address);
    const differs = known?.result && known.fingerprint !== fingerprint && accepts(address);
    return differs ? [{ type: 'accepted', at, address, inputs, fingerprint }] : [];
  });
  const { areSame } = findShown(graph, state);
  const events: Accepted[] = [];
  const leftOut: Address[] = [];
  for (const item of posts.flatMap((post) => post.items)) {
    const accepted = item.known && accepts(item.address) ? acceptItem(item, at) : [];
    // What was let go of and is wanted otherwise is new: there is nothing to accept.
    if (item.known?.letGo) continue;
    if (item.known && !areSame(item.item, item.known)) leftOut.push(...accepted.map(() => item.address));
    else events.push(...accepted);
  }
  return { events: [...objects, ...events], leftOut };
}

/** A draft after all edits that it holds back were accepted, and the events that record that, moves first. */
export function acceptHeld(draft: PlanDraft, at: string): { draft: PlanDraft; events: StateEvent[] } {
  const { matched } = draft;
  const held = new Set(draft.posts.flatMap(heldEdits));
  const events = [...held].flatMap((item) => acceptItem(item, at));
  const posts = draft.posts.map((post) => ({
    ...post,
    items: post.items.map((item) =>
      held.has(item) ? { ...item, decision: { type: 'keep' } as const } : item,
    ),
  }));
  const state = withEvents(matched.state, events);
  return {
    draft: { ...draft, posts, matched: { ...matched, moves: [], state } },
    events: [...moveEvents(matched.moves, at), ...events],
  };
}

function acceptItem({ item: { inputs, fingerprint }, known }: MatchedItem, at: string): Accepted[] {
  const take = known && currentTake(known);
  if (!take || take.status === 'unknown' || take.fingerprint === fingerprint) return [];
  return [{ type: 'accepted', at, address: takeAddress(known.address, take.n), inputs, fingerprint }];
}
