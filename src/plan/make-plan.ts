import { type Address, hasKey, mediaAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { kindHas, type UnknownObjectKind } from '../model/kinds.ts';
import type { Noted, Plan } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import type { SourceRef } from '../model/source.ts';
import type { MatchedState } from './match-items.ts';
import { matchState } from './match-state.ts';
import type { OutputTemplate } from '../model/output-path.ts';
import { planObjects } from './plan-objects.ts';
import { planPost } from './plan-requests.ts';
import { type IsSelected, type Selection, selectNodes } from './select.ts';
import { planOpenTakes, sourceMember } from './plan-takes.ts';
import { knownVersions } from './reasons.ts';
import { applyFileMoves, planFileMoves } from './take-files.ts';

export interface PlanOptions {
  readonly graph: Graph;
  readonly state: RunState;
  readonly outputs: OutputTemplate | false;
  /** When the run begins, in epoch milliseconds; it decides what is rechecked. */
  readonly now: number;
  /** `hold`: finished posts whose inputs changed are left as they are, everything else is planned. */
  readonly replacements: 'make' | 'hold';
  /** Kinds whose unknown creates are sent again, although that may make a duplicate. */
  readonly retryUnknown?: readonly UnknownObjectKind[];
  readonly selection?: Selection;
  /** Posts to request again, by address. */
  readonly replace?: readonly Address[];
  /** Failed posts to request again, as a glob over their addresses. */
  readonly retryFailed?: string | undefined;
}

/** Graph ∪ state → what a run will do, with the reason for each node. Pure: the same inputs give the same plan. */
export function makePlan(options: PlanOptions): Plan {
  const { graph, state, outputs, replacements, retryUnknown = [] } = options;
  const matching = matchState(graph, state);
  const fileMoves = planFileMoves(matching.state, outputs);
  const present = applyFileMoves(matching.state, fileMoves);
  const isSelected = selectNodes(graph, matching.posts, options.selection ?? EVERYTHING);
  const objects = planObjects(graph, present, { retryUnknown, isSelected });
  const context = {
    graph,
    state: present,
    versions: knownVersions(graph, present),
    blocked: objects.blocked,
    outputs,
    replacements,
    wishes: { replace: options.replace ?? [], retryFailed: options.retryFailed },
    isSelected,
    nextRequest: requestNumbers(present),
  };
  const posts = matching.posts.map((post) => planPost(post, context));
  const requests = posts.flatMap(({ nodes }) => nodes);
  const renewed = new Set(
    requests.flatMap((node) =>
      kindHas(node, 'stored', 'take') ? mediaAddress(node.payload.post, node.payload.item) : [],
    ),
  );
  const looked = new Set(requests.flatMap(({ after = [] }) => after));
  const sources = sourcesOf(matching);
  const open = planOpenTakes(present, outputs, {
    isSelected,
    isRenewed: (address) => renewed.has(address),
    isPaidAgain: (take) => looked.has(take),
    now: options.now,
    sourceOf: (address) => sources.get(address),
  });
  return {
    nodes: [...objects.nodes, ...requests, ...open],
    moves: matching.moves,
    fileMoves,
    unchanged: objects.unchanged + posts.reduce((sum, post) => sum + post.unchanged, 0),
    newPosts: posts.reduce((sum, post) => sum + post.newPosts, 0),
    failed: [...objects.givenUp, ...posts.flatMap(({ failed }) => failed)],
    unknown: [
      ...objects.unknown,
      ...unknownElsewhere(graph, present),
      ...unknownRequests(present, isSelected, sources),
    ],
    held: posts.flatMap(({ held }) => held),
    leftAlone: leftAlone(graph, matching),
    notSelected: countUnselected(graph, matching, isSelected),
  };
}

const EVERYTHING: Selection = { only: [], exclude: [] };

/** The number of a request is never used again, even if its post was renamed in between. */
function requestNumbers(state: RunState): (post: string) => number {
  const last = new Map<string, number>();
  const seen = (post: string, n: number) => last.set(post, Math.max(last.get(post) ?? 0, n));
  for (const { payload } of state.requests.values()) seen(payload.post, payload.n);
  for (const { post, takes } of state.media.values()) for (const { n } of takes) seen(post, n);
  return (post) => (last.get(post) ?? 0) + 1;
}

function countUnselected(graph: Graph, { posts }: MatchedState, isSelected: IsSelected): number {
  const objects = [...graph.objects.values()].filter(
    ({ address, external }) => external === undefined && !isSelected(address),
  );
  const items = posts.flatMap(({ post, items: all }) =>
    all.filter(({ name }) => !isSelected(mediaAddress(post.path, name))),
  );
  return objects.length + items.length;
}

/** Unknown creates that the manifest no longer names: they may have made something all the same. */
function unknownElsewhere(graph: Graph, state: RunState): Noted[] {
  return [...state.objects.values()]
    .filter(({ address, status }) => {
      const object = graph.objects.get(address);
      return status === 'unknown' && (!object || object.external !== undefined);
    })
    .map(({ address, evidence }) => ({ address, counts: 1, ...(evidence ? { evidence } : {}) }));
}

/** Where the manifest asks for posts and items, by the addresses of media and by the paths of posts. */
function sourcesOf({ posts }: MatchedState): ReadonlyMap<string, SourceRef> {
  return new Map(
    posts.flatMap(({ post, items }) => [
      [post.path, post.source] as const,
      ...items.map(({ name, item }) => [mediaAddress(post.path, name), item.source] as const),
    ]),
  );
}

function unknownRequests(
  state: RunState,
  isSelected: IsSelected,
  sources: ReadonlyMap<string, SourceRef>,
): Noted[] {
  return [...state.requests.values()]
    .filter(({ status }) => status === 'unknown')
    .filter(({ payload: { post, items } }) => items.some(({ item }) => isSelected(mediaAddress(post, item))))
    .map(({ address, evidence, payload }) => ({
      address,
      counts: payload.items.length,
      ...(evidence ? { evidence } : {}),
      ...sourceMember(sources.get(payload.post)),
    }));
}

/** Nothing is deleted unless asked. Uploads are not listed, because they belong to photos that are gone. */
function leftAlone(graph: Graph, { posts, state }: MatchedState): string[] {
  const named = new Set(
    posts.flatMap(({ post, items }) => items.map(({ name }) => mediaAddress(post.path, name))),
  );
  const objects = [...state.objects.values()].filter(
    ({ address, result }) => result && hasKey(address) && !graph.objects.has(address),
  );
  const media = [...state.media.values()].filter(({ address, surplus }) => !surplus && !named.has(address));
  return [...objects, ...media].map(({ address }) => address);
}
