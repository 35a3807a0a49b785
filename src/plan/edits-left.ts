/**
 * Edits that an apply left: the manifest asks for something else than what a post is, which stays as it is. The state says
 * what was asked for last, and by that the post is found after the next edit: two edits in two runs are no harder than one.
 */
import { takeAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import type { LeftEdit } from '../model/state-event.ts';
import { groupBy } from '../util/group-by.ts';
import { sameByName } from './marks.ts';
import type { MatchedState } from './match-items.ts';
import { moveEvents } from './move-steps.ts';
import { withEvents } from '../log/with-events.ts';
import { periodsOf } from './periods.ts';

/**
 * What the state does not say yet, but for posts that are requested again. What only follows from an edit of a product or
 * concept it says by itself.
 */
export function unnotedEdits(
  graph: Graph,
  { state, posts }: MatchedState,
  renewed: ReadonlySet<string>,
): LeftEdit[] {
  const { isSame } = sameByName(graph, state);
  return posts.flatMap(({ items }) =>
    items.flatMap(({ address, item, known }) => {
      if (!known || renewed.has(address)) return [];
      const { inputs, fingerprint } = item;
      if (askedOf(known)?.fingerprint === fingerprint) return [];
      // An edit may have been accepted meanwhile.
      const medium = state.media.get(address) ?? known;
      const [take, asked] = [currentTake(medium), askedOf(medium)];
      if (!take || !asked || asked.fingerprint === fingerprint || isSame(asked.inputs, inputs)) return [];
      return [{ address: takeAddress(address, take.n), inputs, fingerprint }];
    }),
  );
}

function askedOf(medium: MediaState) {
  const take = currentTake(medium);
  return take?.editLeft ?? take;
}

/**
 * Matches a state in which each post is what was asked for last, but for those whose own content is asked for again:
 * that is paid for.
 */
export function matchAsAsked(
  graph: Graph,
  state: RunState,
  match: (asked: RunState) => MatchedState,
): MatchedState {
  const edited = [...state.media.values()].filter((medium) => currentTake(medium)?.editLeft);
  if (!edited.length) return match(state);
  const back = backIn(graph, state, edited);
  const media = new Map(state.media);
  for (const medium of edited) if (!back.has(medium)) media.set(medium.address, asAsked(medium));
  const { moves, posts } = match({ ...state, media });
  const moved = withEvents(state, moveEvents(moves, ''));
  const isKnown = ({ address }: { address: string }) => moved.media.get(address);
  return {
    moves,
    state: moved,
    posts: posts.map((post) => ({
      ...post,
      items: post.items.map(({ known, ...item }) => {
        const real = known && isKnown(item);
        return real ? { ...item, known: real } : item;
      }),
    })),
  };
}

function asAsked(medium: MediaState): MediaState {
  if (!currentTake(medium)?.editLeft) return medium;
  const takes = medium.takes.map((take) => ({ ...take, ...take.editLeft }));
  return { ...medium, takes };
}

/** Of those edited, as many as the manifest asks for exactly what they are, more often than that was asked for before. */
function backIn(graph: Graph, state: RunState, edited: readonly MediaState[]): ReadonlySet<MediaState> {
  const byContent = groupBy(edited, contentOf);
  const asked = new Map([...byContent.keys()].map((content) => [content, 0]));
  const count = (content: string, change: number) => {
    const before = asked.get(content);
    if (before !== undefined) asked.set(content, before + change);
  };
  for (const { items } of graph.posts) for (const { fingerprint } of items) count(fingerprint, 1);
  const periodOf = periodsOf(graph);
  const present = new Set([undefined, ...graph.posts.map(({ period }) => period?.name)]);
  for (const medium of state.media.values())
    if (present.has(periodOf(medium))) count(contentOf(asAsked(medium)), -1);
  return new Set(
    [...byContent].flatMap(([content, media]) => media.slice(0, Math.max(0, asked.get(content) ?? 0))),
  );
}

function contentOf(medium: MediaState): string {
  return currentTake(medium)?.fingerprint ?? '';
}
