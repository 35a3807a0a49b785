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

type Accepted = Extract<StateEvent, { type: 'accepted' }>;

/** For everything that exists and differs. `accepts` is asked for addresses without take. */
export function acceptInputs(
  graph: Graph,
  { state, posts }: MatchedState,
  { accepts, at }: { accepts: (address: Address) => boolean; at: string },
): Accepted[] {
  const objects = [...graph.objects.values()].flatMap(({ address, inputs, fingerprint }): Accepted[] => {
    const known = state.objects.get(address);
    const differs = known?.result && known.fingerprint !== fingerprint && accepts(address);
    return differs ? [{ type: 'accepted', at, address, inputs, fingerprint }] : [];
  });
  const items = posts.flatMap((post) => post.items).filter(({ known }) => known && accepts(known.address));
  return [...objects, ...items.flatMap((item) => acceptItem(item, at))];
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
