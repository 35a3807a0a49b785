/**
 * What the manifest names no more. An apply notes it of posts, because what is added later is no edit of them
 * (match-items.ts), together with edits that it left (edits-left.ts).
 */
import type { Address } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { hasKey } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { MatchedState } from './match-items.ts';
import { unnotedEdits } from './edits-left.ts';
import { findMoving, type IsSettled } from './periods.ts';

export interface Unnamed {
  /** Posts that no item is. */
  readonly unnamed: readonly MediaState[];
  readonly isSettled: IsSettled;
}

export function unnamedIn({ state, posts }: MatchedState): MediaState[] {
  const named = new Set(
    posts.flatMap(({ items }) => items.flatMap(({ known, address }) => (known ? [address] : []))),
  );
  return [...state.media.values()].filter(({ surplus, address }) => !surplus && !named.has(address));
}

/** Nothing is deleted unless asked. Uploads are not listed, because they belong to photos that are gone. */
export function leftAlone(graph: Graph, state: RunState, { unnamed, isSettled }: Unnamed): Address[] {
  const objects = [...state.objects.values()].filter(
    ({ address, result }) => result && hasKey(address) && !graph.objects.has(address),
  );
  const media = unnamed.filter((medium) => !isSettled(medium));
  return [...objects, ...media].map(({ address }) => address);
}

interface Seen extends Unnamed {
  /** Whether only a part of the campaign is looked at. */
  readonly isPart: boolean;
}

/**
 * What the state does not say yet: what is left alone, and the newest sets of post plans that are gone, which could be
 * taken for what is new. A run of a part of the campaign marks nothing, because nobody looked at the rest; what
 * has a name again is noted by every run, or a later edit of it would be bought without a question.
 */
export function unnotedIn(
  graph: Graph,
  matched: MatchedState,
  { unnamed, isSettled, isPart, renewed }: Seen & { readonly renewed: ReadonlySet<Address> },
): Pick<Plan, 'unnoted'> {
  const mayBecome = findMoving(graph, matched.state);
  const isNew = (medium: MediaState) =>
    !medium.leftAlone && (!isSettled(medium) || mayBecome(medium, undefined));
  const addresses = isPart ? [] : unnamed.filter(isNew).map(({ address }) => address);
  const again = matched.posts.flatMap(({ items }) =>
    items.flatMap(({ known, address }) => (known?.leftAlone ? [address] : [])),
  );
  const edits = unnotedEdits(graph, matched, renewed);
  return addresses.length || again.length || edits.length ? { unnoted: { addresses, again, edits } } : {};
}

export function unnotedEvents({ unnoted }: Plan, at: string): StateEvent[] {
  if (!unnoted) return [];
  const { addresses, again, edits } = unnoted;
  const seen: StateEvent[] =
    addresses.length || again.length ? [{ type: 'left-alone', at, addresses, again }] : [];
  return [...seen, ...edits.map((edit): StateEvent => ({ type: 'edit-left', at, ...edit }))];
}
