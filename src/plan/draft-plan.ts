import { type Address, mediaAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { UnknownObjectKind } from '../model/kinds.ts';
import { type OutputPaths, outputPaths, type OutputTemplate } from '../model/output-path.ts';
import { shownBy } from '../model/output-values.ts';
import type { Noted } from '../model/plan.ts';
import type { ObjectState, RunState, TakeState } from '../model/run-state.ts';
import type { SourceRef } from '../model/source.ts';
import { NO_VERDICTS, type Verdicts } from '../model/verdict.ts';
import { decidePost, holdersOf } from './decide-post.ts';
import { findHolders, lettingGo, withStatedMoves } from './hold.ts';
import { leftAlone, letGoIn, unnamedIn } from './left-alone.ts';
import { type MatchedState, matchState } from '../match/match-state.ts';
import { findSettled } from '../match/periods.ts';
import type { Purse } from './plan-cost.ts';
import { planObjects } from './plan-objects.ts';
import { planPruning } from './prune.ts';
import { findDeleted } from './deleted-takes.ts';
import { knownVersions } from './reasons.ts';
import { type IsSelected, type Selection, selectNodes } from './select.ts';
import { findShown } from '../match/shown-products.ts';

export interface PlanInput {
  readonly graph: Graph;
  readonly state: RunState;
  readonly outputs: OutputTemplate | false;
  /** Whether campaign may have a file at a path, which a state can name; by default anywhere. */
  readonly isOwn?: ((path: string) => boolean) | undefined;
  /** When the run begins, in epoch milliseconds; it decides what is rechecked. */
  readonly now: number;
  /** Kinds whose unknown creates are sent again, although that may make a duplicate. */
  readonly retryUnknown?: readonly UnknownObjectKind[];
  readonly selection?: Selection;
  /** Addresses of posts to request again, and globs over finished ones (`--replace`). */
  readonly replace?: readonly Address[];
  /** Whether posts cost nothing, whatever their prices. */
  readonly isFree?: boolean;
  /** Absent without a budget. */
  readonly purse?: Purse | undefined;
  /** Glob over failed posts to request again (`--retry-failed`). */
  readonly retryFailed?: string | undefined;
  /** What is made again of what the service has no more (`--recreate-missing`); by default nothing. */
  readonly missing?: Missing | undefined;
  /** What was decided about finished posts. */
  readonly verdicts?: Verdicts;
  /** Absent where nothing is deleted. */
  readonly prune?: { readonly maxDeletes: number | undefined } | undefined;
}

export interface Missing {
  readonly objects: (gone: ObjectState) => boolean;
  readonly takes: (take: TakeState) => boolean;
}

/** A plan but for what happens to finished posts whose inputs changed: everything that does not hang on that. */
export type PlanDraft = ReturnType<typeof draftPlan>;

/** Brings graph and state together and decides each item; pure, and the same for the same inputs. */
export function draftPlan(input: PlanInput) {
  const { graph, outputs, now, retryUnknown = [] } = input;
  const { verdicts = NO_VERDICTS } = input;
  const matched = matchState(graph, input.state, verdicts);
  const { state } = matched;
  const { selection = EVERYTHING } = input;
  const isSelected = selectNodes(graph, matched.posts, selection);
  const { missing = NOTHING } = input;
  const objects = planObjects(graph, state, { retryUnknown, isSelected, isMadeAgain: missing.objects });
  const wishes = {
    replace: input.replace ?? [],
    retryFailed: input.retryFailed,
    isMissing: missing.takes,
  };
  const versions = knownVersions(graph, state);
  const sources = sourcesOf(matched);
  const isSettled = findSettled(graph, now);
  const unnamed = unnamedIn(matched);
  const alone = leftAlone(graph, state, { unnamed, isSettled });
  const context = {
    graph,
    versions,
    verdicts,
    deletedTakes: findDeleted(state),
    holdersOf: findHolders(graph, matched, { unnamed, isSettled, verdicts }),
    shown: findShown(graph, state),
    wishes,
    isSelected,
  };
  const decided = matched.posts.map((post) => decidePost(post, context));
  const heldUp = decided.flatMap(({ items }) =>
    items
      .filter((item) => holdersOf(item).length)
      .map((item) => ({ address: item.address, heldBy: holdersOf(item) })),
  );
  const pairs = lettingGo(heldUp);
  const posts = pairs.size ? decided.map((post) => withStatedMoves(post, pairs)) : decided;
  const isPart = [selection.only, selection.exclude].flat().length > 0;
  const { maxDeletes } = input.prune ?? {};
  const pruned = {
    verdicts,
    isSelected,
    isSettled,
    outputs: outputs !== false,
    maxDeletes,
    leftAlone: alone,
  };
  return {
    graph,
    matched,
    /** By the address of what is held up. */
    lettingGo: pairs,
    /** Whoever looks at a part only, or leaves open what something was, lets go of nothing. */
    letGo: letGoIn(graph, matched, isPart || heldUp.length ? [] : alone),
    outputs: outputs && outputPaths(outputs, outputs.names && wantedOf(matched)),
    isOwn: input.isOwn,
    now,
    purse: input.purse,
    isFree: input.isFree ?? false,
    isSelected,
    objects,
    posts,
    pruning: input.prune && planPruning(graph, matched, pruned),
    sources,
    noted: {
      unknown: [
        ...objects.unknown,
        ...unknownElsewhere(graph, state),
        ...unknownRequests(state, isSelected, sources),
      ],
      leftAlone: alone,
      notSelected: countUnselected(graph, matched, isSelected),
    },
  };
}

const NOTHING: Missing = { objects: () => false, takes: () => false };

function wantedOf({ posts }: MatchedState): OutputPaths['wanted'] {
  return new Map(
    posts.flatMap(({ post: { concept }, items }) =>
      items.map(({ address, item: { payload, fingerprint } }) => [
        address,
        { ...shownBy(concept, payload), fingerprint },
      ]),
    ),
  );
}

const EVERYTHING: Selection = { only: [], exclude: [] };

function countUnselected(graph: Graph, { posts }: MatchedState, isSelected: IsSelected): number {
  let count = 0;
  for (const { address, external } of graph.objects.values())
    if (external === undefined && !isSelected(address)) count += 1;
  for (const { items } of posts) for (const { address } of items) if (!isSelected(address)) count += 1;
  return count;
}

/** Unknown creates that the manifest no longer names: they may have made something all the same. */
function unknownElsewhere(graph: Pick<Graph, 'objects'>, state: RunState): Noted[] {
  return [...state.objects.values()]
    .filter(({ address, status }) => {
      const object = graph.objects.get(address);
      return status === 'unknown' && (!object || object.external !== undefined);
    })
    .map(({ address, evidence }) => ({ address, counts: 1, evidence }));
}

/** Where the manifest asks for posts and for items that the state knows, by their paths and by the addresses of media. */
function sourcesOf({ posts }: MatchedState): ReadonlyMap<string, SourceRef> {
  const sources = new Map<string, SourceRef>();
  for (const { post, items } of posts) {
    sources.set(post.path, post.source);
    for (const { address, item, known } of items) if (known) sources.set(address, item.source);
  }
  return sources;
}

/** Every unknown create of a state. */
export function unknownIn(
  state: RunState,
  isSelected: IsSelected,
  sources: ReadonlyMap<string, SourceRef>,
): Noted[] {
  return [...unknownElsewhere(NO_OBJECTS, state), ...unknownRequests(state, isSelected, sources)];
}

const NO_OBJECTS: Pick<Graph, 'objects'> = { objects: new Map() };

function unknownRequests(
  state: RunState,
  isSelected: IsSelected,
  sources: ReadonlyMap<string, SourceRef>,
): Noted[] {
  return [...state.requests.values()]
    .filter(({ status }) => status === 'unknown')
    .filter(({ payload: { post, items } }) => items.some(({ item }) => isSelected(mediaAddress(post, item))))
    .map(({ address, evidence, payload: { post, items } }) => ({
      address,
      counts: items.length,
      evidence,
      source: sources.get(post),
    }));
}
