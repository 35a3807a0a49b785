/**
 * Decides which item of the state is which item of the manifest: one with exactly the same content, wherever it was, else
 * an older take with it; then those of the same post, by key, and without one by place, first among those that show
 * the same products. A new item gets the next number, which is never used again.
 */
import type { Address } from '../model/address.ts';
import type { Graph, GraphItem, GraphPost } from '../model/graph.ts';
import { withoutPeriod, withPeriod } from '../model/period.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import { type Verdicts, verdictAbout } from '../model/verdict.ts';
import { groupBy } from '../util/group-by.ts';
import type { InstancePaths } from './instance-paths.ts';
import { isNumber } from './item-numbers.ts';
import { contentIn, findOlderTakes, type OlderTake } from './older-takes.ts';
import type { Onwards } from './periods.ts';
import { findShown } from './shown-products.ts';

/** What an item of a post was: its medium, an older take that becomes the current one, or both. */
export interface Origin {
  readonly medium?: MediaState | undefined;
  readonly older?: OlderTake;
}

/** The items of a post of the manifest, and what each was. */
export interface Claim {
  readonly post: GraphPost;
  /** Media of the state that have its path, surplus ones among them. */
  readonly own: readonly MediaState[];
  /** The path that its media had before its products and concepts were renamed; undefined where one of these is new. */
  readonly former: string | undefined;
  readonly origins: Map<GraphItem, Origin>;
}

interface Known {
  /** Products and concepts have their new names already. */
  readonly state: RunState;
  readonly paths: InstancePaths;
  /** Whether the manifest states that this is what has come to an address. */
  readonly isStated: (address: Address) => boolean;
  readonly onwards: Onwards;
  readonly verdicts: Verdicts;
}

export function matchPosts(graph: Graph, known: Known): readonly Claim[] {
  const byPost = groupBy(known.state.media.values(), ({ post }) => post);
  const claims = graph.posts.map(
    (post): Claim => ({
      post,
      own: byPost.get(post.path) ?? [],
      former: known.paths.before(post),
      origins: new Map(),
    }),
  );
  const taken = new Set<MediaState>();
  for (const claim of claims) claimOwn(claim, taken, known.isStated);
  const open = claims.filter((claim) => openItems(claim).length);
  if (!open.length || !known.state.media.size) return claims;
  const inOrder = open.toSorted(({ post: { path: a } }, { post: { path: b } }) =>
    a < b ? -1 : Number(a > b),
  );
  const context = { ...known, graph, byPost, taken };
  claimExact(inOrder, context);
  const poolOf = createPools(context);
  claimOlder(inOrder, { ...context, poolOf });
  claimPlaces(inOrder, { ...context, poolOf });
  return claims;
}

type Context = Known & {
  readonly graph: Graph;
  readonly byPost: ReadonlyMap<string, readonly MediaState[]>;
  /** Media that an item is. */
  readonly taken: Set<MediaState>;
};

function openItems({ post, origins }: Claim): GraphItem[] {
  return post.items.filter((item) => !origins.has(item));
}

function give({ origins }: Claim, item: GraphItem, medium: MediaState, taken: Set<MediaState>): void {
  taken.add(medium);
  origins.set(item, { medium });
}

/** What is stated, and what has exactly the content that is asked for where it is. */
function claimOwn(claim: Claim, taken: Set<MediaState>, isStated: Known['isStated']): void {
  const { post, own } = claim;
  if (!own.length) return;
  const isExact = (media: MediaState | undefined, { fingerprint }: GraphItem) =>
    media !== undefined && currentTake(media)?.fingerprint === fingerprint;
  const usable = own.filter(({ surplus }) => !surplus);
  for (const item of post.items) {
    const medium = item.key === undefined ? undefined : usable.find(({ item: name }) => name === item.key);
    if (medium && (isExact(medium, item) || isStated(medium.address))) give(claim, item, medium, taken);
  }
  const inOrder = usable.toSorted(numbersFirst);
  for (const item of openItems(claim)) {
    if (item.key !== undefined) continue;
    const medium = inOrder.find((media) => !taken.has(media) && isExact(media, item));
    if (medium) give(claim, item, medium, taken);
  }
}

function numbersFirst({ item: a }: MediaState, { item: b }: MediaState): number {
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b);
  return Number(isNumber(b)) - Number(isNumber(a)) || (a < b ? -1 : 1);
}

/** What has exactly the content elsewhere, in the same period or going on in it. */
function claimExact(claims: readonly Claim[], context: Context): void {
  const { onwards } = context;
  claimEqual(claims, context, ({ period }) => ({ period }));
  claimEqual(claims, context, onwards);
}

function claimEqual(claims: readonly Claim[], context: Context, periodOf: Onwards): void {
  const { state, taken, isStated } = context;
  const wanted = new Set(
    claims.flatMap((claim) => openItems(claim).map((item) => wantedContent(claim, item))),
  );
  const contentOf = (media: MediaState) => {
    const place = periodOf(media);
    return place ? contentIn(place.period, currentTake(media)?.fingerprint ?? '') : '';
  };
  const free = [...state.media.values()].filter(
    (media) => !media.surplus && !taken.has(media) && wanted.has(contentOf(media)),
  );
  const alike = groupBy(free.toSorted(usableFirst), contentOf);
  for (const claim of claims) {
    for (const item of openItems(claim)) {
      const medium = alike
        .get(wantedContent(claim, item))
        ?.find((media) => !taken.has(media) && (!isStated(media.address) || media.post === claim.post.path));
      if (medium) give(claim, item, medium, taken);
    }
  }
}

function wantedContent({ post }: Claim, { fingerprint }: GraphItem): string {
  return contentIn(post.period?.name, fingerprint);
}

/** In the order of the addresses; what came to nothing comes last. */
function usableFirst(a: MediaState, b: MediaState): number {
  const isBad = (media: MediaState) => !HOLDING.has(currentTake(media)?.status ?? '');
  return Number(isBad(a)) - Number(isBad(b)) || (a.address < b.address ? -1 : 1);
}

/** Finished, being generated, or perhaps so. */
export const HOLDING: ReadonlySet<string> = new Set(['done', 'pending', 'unknown']);

/** What of the state may be items of a post that have no exact one. */
type PoolOf = (claim: Claim) => readonly MediaState[];

function createPools({ byPost, taken, state, onwards }: Context): PoolOf {
  const goingOn = groupBy(
    [...state.media.values()].filter((media) => onwards(media)),
    (media) => withPeriod(withoutPeriod(media.post, media.period), onwards(media)?.period),
  );
  return ({ former }) => {
    if (former === undefined) return [];
    return [...(byPost.get(former) ?? []), ...(goingOn.get(former) ?? [])]
      .filter((media) => !taken.has(media) && !media.surplus && !media.letGo && !media.item.includes('+'))
      .sort(numbersFirst);
  };
}

/** An older take that is exactly what an item asks for, first of the same medium; what is kept as it is stays. */
function claimOlder(claims: readonly Claim[], context: Context & { readonly poolOf: PoolOf }): void {
  const { state, verdicts, onwards, taken, poolOf } = context;
  const older = findOlderTakes(state, verdicts, onwards);
  if (!older.size) return;
  const used = new Set<OlderTake>();
  for (const claim of claims) {
    for (const item of openItems(claim)) {
      const alike = (older.get(wantedContent(claim, item)) ?? []).filter((take) => !used.has(take));
      if (!alike.length) continue;
      const pool = poolOf(claim);
      const isOwn = ({ media }: OlderTake) =>
        pool.includes(media) && (item.key === undefined || item.key === media.item);
      const take = alike.find(isOwn) ?? alike[0];
      const own = take && isOwn(take) ? take.media : pool.find(({ item: name }) => name === item.key);
      const isStaying = own !== undefined && isKept(own, claim.post, verdicts);
      if (!take || (isStaying && item.key !== undefined)) continue;
      const medium = isStaying ? undefined : own;
      used.add(take);
      if (medium) taken.add(medium);
      claim.origins.set(item, { medium, older: take });
    }
  }
}

function isKept(media: MediaState, { regenerate }: GraphPost, verdicts: Verdicts): boolean {
  const { result } = currentTake(media) ?? {};
  const isApproved = result !== undefined && verdictAbout(result.id, verdicts)?.verdict === 'approved';
  return isApproved || regenerate === 'never';
}

/** The rest of a post: by key, and without one by place. */
function claimPlaces(claims: readonly Claim[], context: Context & { readonly poolOf: PoolOf }): void {
  const { graph, state, taken, poolOf } = context;
  const { areSame } = findShown(graph, state);
  for (const claim of claims) {
    const pool = poolOf(claim);
    if (!pool.length) continue;
    for (const item of openItems(claim)) {
      const medium = pool.find((media) => !taken.has(media) && media.item === item.key);
      if (medium) give(claim, item, medium, taken);
    }
    for (const fits of [areSame, () => true]) {
      for (const item of openItems(claim)) {
        if (item.key !== undefined) continue;
        const medium = pool.find((media) => !taken.has(media) && fits(item, media));
        if (medium) give(claim, item, medium, taken);
      }
    }
  }
}
