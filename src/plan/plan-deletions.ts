/**
 * What may be deleted at the service, and what stays because of something that stays. A request is deleted with all the
 * posts that it made, so one post that stays keeps it; a request that stays keeps the concept and the products that it
 * was sent with. Uploads stay: the service has no way to delete them.
 */
import { type Address, takeAddress } from '../model/address.ts';
import { type DeletedKind, hasKey, kindOf } from '../model/kinds.ts';
import type { Deletion, Reason } from '../model/plan.ts';
import type { MediaState, ObjectState, RequestState, RunState, TakeState } from '../model/run-state.ts';
import { findUses, idOf } from './request-uses.ts';

export interface DeletionScope {
  /** Why a take stays, or `wanted` where nobody has to be told; undefined where it may go. */
  readonly whyTakeStays: (media: MediaState, take: TakeState) => string | undefined;
  /** As `whyTakeStays`. */
  readonly whyObjectStays: (object: ObjectState) => string | undefined;
  /** Requests of which the state knows no post that was asked for: somebody forgot their posts. */
  readonly withoutPosts: 'go' | 'stay';
  /** Whether downloaded files are removed with their posts. */
  readonly files: 'go' | 'stay';
  /** Of a request, for a post that it made; of an object without one. */
  readonly reasonsFor: (media: MediaState | undefined) => readonly Reason[];
}

export interface PlannedDeletions {
  /** Requests first. */
  readonly nodes: readonly Deletion[];
  /** Products, concepts and posts that are gone once all of that is deleted. */
  readonly removed: ReadonlySet<Address>;
  /** Why the others stay. */
  readonly stays: ReadonlyMap<Address, string>;
}

export const WANTED = 'wanted';

export function planDeletions(state: RunState, scope: DeletionScope): PlannedDeletions {
  const takes = takesByRequest(state);
  const stays = new Map<Address, string>();
  const requests: Deletion[] = [];
  const usesOf = findUses(state);
  /** What each object is used by: a request that stays, or those that are deleted before it. */
  const keptBy = new Map<Address, Address>();
  const usedBy = new Map<Address, Address[]>();
  for (const request of state.requests.values()) {
    const made = takes.get(request.address) ?? [];
    if (!request.result && request.status !== 'unknown' && !made.length) continue;
    const isKept = noteHolds(request, made, { scope, stays });
    const { result } = request;
    const goes = result && !isKept;
    for (const object of usesOf(request)) {
      if (!goes) keptBy.set(object, keptBy.get(object) ?? request.address);
      else usedBy.set(object, withOne(usedBy.get(object), request.address));
    }
    if (goes) requests.push(requestDeletion(request.address, result.id, { made, scope }));
  }
  const objects = objectDeletions(state, { scope, stays, keptBy, usedBy });
  const nodes = lastProductLast([...requests, ...objects]);
  return { nodes, removed: removedBy(state, nodes), stays };
}

interface Made {
  readonly media: MediaState;
  readonly take: TakeState;
}

function takesByRequest({ media }: RunState): ReadonlyMap<Address, Made[]> {
  const takes = new Map<Address, Made[]>();
  for (const medium of media.values())
    for (const take of medium.takes)
      takes.set(take.request, withOne(takes.get(take.request), { media: medium, take }));
  return takes;
}

function withOne<T>(list: T[] | undefined, one: T): T[] {
  if (!list) return [one];
  list.push(one);
  return list;
}

/** Whether a request stays; of its posts that could go, it notes why they stay. */
function noteHolds(
  request: RequestState,
  made: readonly Made[],
  { scope, stays }: { readonly scope: DeletionScope; readonly stays: Map<Address, string> },
): boolean {
  const holds = made.map(({ media, take }) => ({ media, why: scope.whyTakeStays(media, take) }));
  const hold = holds.find(({ why }) => why !== undefined);
  const isForgotten = made.every(({ media }) => media.surplus) && scope.withoutPosts === 'stay';
  if (request.result && !request.imported && !hold && !isForgotten) return false;
  for (const { media, why } of holds) {
    if (why === WANTED) continue;
    const other =
      hold && hold.media !== media ? `${request.address} also made ${hold.media.address}` : undefined;
    stays.set(media.address, why ?? other ?? whyRequestStays(request));
  }
  return true;
}

function whyRequestStays({ address, imported, result, status }: RequestState): string {
  if (imported) return `${address} was imported`;
  return result ? 'somebody forgot its post' : `${address} is ${status}`;
}

function requestDeletion(
  address: Address,
  id: string,
  { made, scope }: { readonly made: readonly Made[]; readonly scope: DeletionScope },
): Deletion {
  const posts = made.map(({ media, take }) => takeAddress(media.address, take.n));
  const files = scope.files === 'go' ? made.flatMap(({ take }) => take.files ?? []) : [];
  const reasons = scope.reasonsFor(made.find(({ media }) => !media.surplus)?.media);
  return {
    address,
    kind: 'media-config',
    action: 'delete',
    reasons,
    dependsOn: [],
    payload: { id, posts, ...(files.length && { files }) },
  };
}

interface Used {
  readonly scope: DeletionScope;
  readonly stays: Map<Address, string>;
  readonly keptBy: ReadonlyMap<Address, Address>;
  readonly usedBy: ReadonlyMap<Address, readonly Address[]>;
}

function objectDeletions({ objects }: RunState, { scope, stays, keptBy, usedBy }: Used): Deletion[] {
  return [...objects.values()].flatMap((object): Deletion[] => {
    const { address } = object;
    const id = idOf(object);
    if (id === undefined || !hasKey(address)) return [];
    const user = keptBy.get(address);
    const own = object.imported ? 'it was imported' : undefined;
    const used = user === undefined ? undefined : `${user} stays, and uses it`;
    const why = scope.whyObjectStays(object) ?? own ?? used;
    if (why !== undefined) {
      if (why !== WANTED) stays.set(address, why);
      return [];
    }
    return [
      {
        address,
        kind: kindOf(address) as DeletedKind,
        action: 'delete',
        reasons: scope.reasonsFor(undefined),
        dependsOn: usedBy.get(address) ?? [],
        payload: { id, posts: [] },
      },
    ];
  });
}

/**
 * The last product goes after everything else. Until then it can be read, and so it shows that the service is well when a
 * DELETE is answered with 404.
 */
function lastProductLast(nodes: readonly Deletion[]): Deletion[] {
  const last = nodes.findLast(({ kind }) => kind === 'product');
  const others = nodes.filter((node) => node !== last);
  return last ? [...others, { ...last, after: others.map(({ address }) => address) }] : others;
}

function removedBy({ media }: RunState, nodes: readonly Deletion[]): ReadonlySet<Address> {
  const removed = new Set(nodes.map(({ address }) => address));
  for (const { address, takes } of media.values())
    if (takes.every(({ request }) => removed.has(request))) removed.add(address);
  return removed;
}
