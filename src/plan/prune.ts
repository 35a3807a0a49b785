/** `apply --prune`: what the manifest no longer names is deleted, as far as nothing that stays refers to it. */
import { type Address, productKey } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { Deletion, Deletions, Reason } from '../model/plan.ts';
import type { MediaState, RunState, TakeState } from '../model/run-state.ts';
import { type Verdicts, verdictAbout } from '../model/verdict.ts';
import { idKey } from '../util/id-key.ts';
import type { MatchedState } from '../match/match-state.ts';
import type { IsSettled } from '../match/periods.ts';
import { planDeletions, WANTED } from './plan-deletions.ts';
import { idOf } from './request-uses.ts';
import type { IsSelected } from './select.ts';

/** How many products, concepts and requests one run deletes, unless it is told another number. */
export const MAX_DELETES = 10;

export interface PruneOptions {
  readonly verdicts: Verdicts;
  readonly isSelected: IsSelected;
  readonly isSettled: IsSettled;
  /** Whether files are downloaded, so that a post without them is still to be fetched. */
  readonly outputs: boolean;
  /** Absent where nobody has said it. */
  readonly maxDeletes: number | undefined;
  /** What the manifest no longer names. */
  readonly leftAlone: readonly Address[];
}

/** `guard`: why none of it is deleted, whoever agrees. */
export interface Pruning {
  readonly nodes: readonly Deletion[];
  readonly removed: ReadonlySet<Address>;
  readonly stays: Deletions['stays'];
  readonly guard: Deletions['because'];
}

export function planPruning(
  graph: Graph,
  { state, posts }: MatchedState,
  { verdicts, isSelected, isSettled, outputs, maxDeletes, leftAlone }: PruneOptions,
): Pruning {
  const named = new Set(posts.flatMap(({ items }) => items.flatMap(({ known }) => known ?? [])));
  const usedIds = idsIn(graph);
  const { nodes, removed, stays } = planDeletions(state, {
    whyTakeStays(media, take) {
      if (isSettled(media) || !isSelected(media.address)) return WANTED;
      if (named.has(media) && !isSuperseded(media, take, outputs)) return WANTED;
      if (take.status === 'pending' || take.status === 'unknown') return `it is ${take.status}`;
      const id = take.result?.id;
      const isApproved =
        media.takes.at(-1) === take && id !== undefined && verdictAbout(id, verdicts)?.verdict === 'approved';
      if (isApproved) return 'it is approved';
      return outputs && take.status === 'done' && !take.files ? 'it is not downloaded yet' : undefined;
    },
    whyObjectStays(object) {
      const id = idOf(object);
      if (graph.objects.has(object.address) || !isSelected(object.address)) return WANTED;
      return id !== undefined && usedIds.has(idKey(id)) ? NAMED_BY_ID : undefined;
    },
    withoutPosts: 'stay',
    files: 'stay',
    reasonsFor: (media) => [media && named.has(media) ? SUPERSEDED : NO_LONGER_NAMED],
  });
  const isTooMany = nodes.length > (maxDeletes ?? MAX_DELETES);
  const isDoubtful = maxDeletes === undefined && goneProducts(state, leftAlone).areMost;
  const listed = new Set(leftAlone);
  return {
    nodes,
    removed,
    stays: [...stays].flatMap(([address, why]) => (listed.has(address) ? [{ address, why }] : [])),
    guard: isDoubtful ? 'most-products-gone' : isTooMany ? 'too-many' : undefined,
  };
}

const NO_LONGER_NAMED: Reason = { summary: 'the manifest no longer names it' };
const SUPERSEDED: Reason = { summary: 'a newer take has replaced it' };

/** Whether a newer take of the post is finished, and its files are here. */
function isSuperseded({ takes }: MediaState, take: TakeState, outputs: boolean): boolean {
  const newer = takes.slice(takes.indexOf(take) + 1);
  return newer.some(({ status, files }) => status === 'done' && (files !== undefined || !outputs));
}

/** Why an object stays. */
export const NAMED_BY_ID = 'the manifest names its id';

/** Ids that the manifest writes, for objects or in posts; compared as `idKey` has them. */
export function idsIn({ objects, posts }: Graph): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { external } of objects.values()) if (external !== undefined) ids.add(idKey(external));
  for (const { concept, items } of posts) {
    const refs = items.flatMap(({ payload }) => payload.assets.map(({ product }) => product));
    for (const ref of [concept, ...refs]) if ('id' in ref) ids.add(idKey(ref.id));
  }
  return ids;
}

/**
 * Products that the manifest no longer names since the last apply that let go of what it left alone. If they are most of those that
 * were known then, a disk may not be mounted.
 */
export function goneProducts({ objects }: RunState, leftAlone: readonly Address[]) {
  const isCounted = (address: Address) =>
    productKey(address) !== undefined && objects.get(address)?.letGo !== true;
  const known = [...objects.values()].filter(({ address, result }) => result && isCounted(address)).length;
  const gone = leftAlone.filter(isCounted);
  return { gone, known, areMost: gone.length > 1 && gone.length * 2 > known };
}
