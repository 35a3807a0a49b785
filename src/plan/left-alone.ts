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
import type { IsSettled } from './periods.ts';

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
 * What the state does not say yet. A run of a part of the campaign marks nothing, because nobody looked at the rest; what
 * has a name again is noted by every run, or a later edit of it would be bought without a question.
 */
export function unnotedIn(
  matched: MatchedState,
  { alone, isPart }: { readonly alone: readonly Address[]; readonly isPart: boolean },
): Pick<Plan, 'unnoted'> {
  const { media } = matched.state;
  const isNew = (address: Address) => media.has(address) && !media.get(address)?.leftAlone;
  const addresses = isPart ? [] : alone.filter(isNew);
  const again = [...namedIn(matched)].flatMap(({ address, leftAlone: isMarked }) =>
    isMarked ? [address] : [],
  );
  return addresses.length || again.length ? { unnoted: { addresses, again } } : {};
}

export function unnotedEvents({ unnoted }: Plan, at: string): StateEvent[] {
  return unnoted ? [{ type: 'left-alone', at, ...unnoted }] : [];
}

function namedIn({ posts }: MatchedState): ReadonlySet<MediaState> {
  return new Set(posts.flatMap(({ items }) => items.flatMap(({ known }) => known ?? [])));
}
