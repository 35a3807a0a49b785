import { type Address, addressesOf, downloadAddress, requestsAddress, splitMedia } from '../model/address.ts';
import { storedAs } from '../model/kinds.ts';
import type { Graph } from '../model/graph.ts';
import { matchesGlob } from '../util/match-glob.ts';
import type { MatchedPost, MatchedState } from '../match/match-state.ts';

/** Globs over whole addresses. `only` adds everything upstream of a match, `exclude` everything downstream. */
export interface Selection {
  readonly only: readonly string[];
  readonly exclude: readonly string[];
}

/** Whether a node takes part in a run; media are named without their take. */
export type IsSelected = (address: Address) => boolean;

/** Posts of the state that the manifest no longer names are selected by their own address only. */
export function selectNodes(graph: Graph, posts: readonly MatchedPost[], selection: Selection): IsSelected {
  const { only, exclude } = selection;
  if (!only.length && !exclude.length) return () => true;
  const upstream = upstreamOf(graph, posts);
  const included = only.length ? withUpstream(upstream, (address) => isNamed(address, only)) : undefined;
  const excluded = withDownstream(upstream, (address) => isNamed(address, exclude));
  return (address) => {
    if (excluded.has(address) || isNamed(address, exclude)) return false;
    return !included || included.has(address) || (!upstream.has(address) && isNamed(address, only));
  };
}

/** Globs that match nothing in manifest and state: typing errors, which must not look like "nothing to do". */
export function unmatchedGlobs(
  graph: Graph,
  { posts, state }: MatchedState,
  globs: readonly string[],
): string[] {
  if (!globs.length) return [];
  const known = [...upstreamOf(graph, posts).keys(), ...state.objects.keys(), ...state.media.keys()];
  return globs.filter((glob) => !known.some((address) => isNamed(address, [glob])));
}

type Upstream = ReadonlyMap<Address, readonly Address[]>;

function upstreamOf(graph: Graph, posts: readonly MatchedPost[]): Upstream {
  const upstream = new Map<Address, readonly Address[]>();
  for (const { address, dependsOn } of graph.objects.values()) upstream.set(address, dependsOn);
  for (const { post, items } of posts) {
    for (const { address, item } of items) {
      upstream.set(address, [...addressesOf([post.concept]), ...item.products]);
    }
  }
  return upstream;
}

/** A medium is also matched by the address of its download and of its request, whatever the request's number. */
export function isNamed(address: Address, globs: readonly string[]): boolean {
  const names = [address];
  if (storedAs(address) === 'take') {
    names.push(downloadAddress(address), requestsAddress(splitMedia(address).post));
  }
  return globs.some((glob) => names.some((name) => matchesGlob(glob.replace(/@\d+$/, ''), name)));
}

/** Dependencies come first: one pass backwards finds everything upstream, and one forwards everything downstream. */
function withUpstream(upstream: Upstream, matches: IsSelected): ReadonlySet<Address> {
  const reached = new Set<Address>();
  for (const [address, before] of [...upstream].reverse()) {
    if (matches(address)) reached.add(address);
    if (reached.has(address)) for (const next of before) reached.add(next);
  }
  return reached;
}

function withDownstream(upstream: Upstream, matches: IsSelected): ReadonlySet<Address> {
  const reached = new Set<Address>();
  for (const [address, before] of upstream) {
    if (matches(address) || before.some((next) => reached.has(next))) reached.add(address);
  }
  return reached;
}
