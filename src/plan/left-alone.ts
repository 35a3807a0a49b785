/**
 * What the manifest names no more. An apply notes it of posts, because what is added later is no edit of them
 * (match-items.ts).
 */
import type { Address } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { hasKey } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import type { MediaState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { MatchedState } from './match-items.ts';
import { findMoving, type IsSettled } from './periods.ts';

/** Nothing is deleted unless asked. Uploads are not listed, because they belong to photos that are gone. */
export function leftAlone(graph: Graph, matched: MatchedState, isSettled: IsSettled): Address[] {
  const { state } = matched;
  const named = namedIn(matched);
  const objects = [...state.objects.values()].filter(
    ({ address, result }) => result && hasKey(address) && !graph.objects.has(address),
  );
  const media = [...state.media.values()].filter(
    (medium) => !medium.surplus && !named.has(medium) && !isSettled(medium),
  );
  return [...objects, ...media].map(({ address }) => address);
}

/**
 * What the state does not say yet: what is left alone, and the newest sets of post plans that are gone, which could be
 * taken for what is new. A run of a part of the campaign marks nothing, because nobody looked at the rest; what
 * has a name again is noted by every run, or a later edit of it would be bought without a question.
 */
export function unnotedIn(
  graph: Graph,
  matched: MatchedState,
  { alone, isPart }: { readonly alone: readonly Address[]; readonly isPart: boolean },
): Pick<Plan, 'unnoted'> {
  const named = namedIn(matched);
  const listed = new Set(alone);
  const mayBecome = findMoving(graph, matched.state);
  const isNew = (medium: MediaState) =>
    !medium.leftAlone &&
    (listed.has(medium.address) || (!medium.surplus && !named.has(medium) && mayBecome(medium, undefined)));
  const addresses = isPart
    ? []
    : [...matched.state.media.values()].filter(isNew).map(({ address }) => address);
  const again = [...named].flatMap(({ address, leftAlone: isMarked }) => (isMarked ? [address] : []));
  return addresses.length || again.length ? { unnoted: { addresses, again } } : {};
}

export function unnotedEvents({ unnoted }: Plan, at: string): StateEvent[] {
  return unnoted ? [{ type: 'left-alone', at, ...unnoted }] : [];
}

function namedIn({ posts }: MatchedState): ReadonlySet<MediaState> {
  return new Set(posts.flatMap(({ items }) => items.flatMap(({ known }) => known ?? [])));
}
