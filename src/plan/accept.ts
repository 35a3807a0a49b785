import { takeAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { currentTake, type RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import { matchState } from './match-state.ts';

type Accepted = Extract<StateEvent, { type: 'accepted' }>;

/**
 * Records the present inputs as those of everything that exists and differs: nothing is sent, and the next plan does
 * not mention it. `accepts` chooses by address; posts have their address without take.
 */
export function acceptInputs(
  graph: Graph,
  state: RunState,
  { accepts, at }: { accepts: (address: string) => boolean; at: string },
): Accepted[] {
  const matching = matchState(graph, state);
  const events: Accepted[] = [];
  const add = (address: string, { inputs, fingerprint }: Pick<Accepted, 'inputs' | 'fingerprint'>) => {
    events.push({ type: 'accepted', at, address, inputs, fingerprint });
  };
  for (const object of graph.objects.values()) {
    const known = matching.state.objects.get(object.address);
    const differs = known?.result && known.fingerprint !== object.fingerprint;
    if (differs && accepts(object.address)) add(object.address, object);
  }
  for (const { items } of matching.posts) {
    for (const { item, known } of items) {
      const take = known && currentTake(known);
      const differs = take && take.status !== 'unknown' && take.fingerprint !== item.fingerprint;
      if (known && differs && accepts(known.address)) add(takeAddress(known.address, take.n), item);
    }
  }
  return events;
}
