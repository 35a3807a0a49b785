/** Plans new media configurations: for each instance one request for exactly the items without a kept result. */
import { type Address, addressesOf, requestAddress, takeAddress } from '../model/address.ts';
import type { OutputPaths } from '../model/output-path.ts';
import { shownBy } from '../model/output-values.ts';
import type { DownloadPayload } from '../model/payload.ts';
import type { EditedPost, Noted, PlannedAs, PlannedNode, Reason } from '../model/plan.ts';
import { currentTake, type RunState } from '../model/run-state.ts';
import { takeNodes } from '../model/take-nodes.ts';
import {
  type DecidedItem,
  type DecidedPost,
  holdersOf,
  isKeepable,
  isMissing,
  type Replacements,
  settlePost,
  type WantedItem,
} from './decide-post.ts';
import { canBeRechecked } from './recheck.ts';
import type { MatchedPost } from '../match/match-state.ts';
import { olderFiles } from './take-files.ts';

interface RequestContext {
  readonly state: RunState;
  readonly outputs: OutputPaths | false;
  /** Objects that nothing may depend on, with more words on why. */
  readonly blocked: ReadonlyMap<Address, string>;
  readonly nextRequest: (post: string) => number;
  /** By what is held up: the post that is let go of once it is requested. */
  readonly lettingGo: ReadonlyMap<Address, Address>;
}

interface Wanting {
  readonly replacements: Replacements;
  /** Items that do not fit the budget. */
  readonly beyond: ReadonlySet<Address>;
}

export function planPost(post: DecidedPost, { replacements, beyond }: Wanting, context: RequestContext) {
  const { requested: all, held, failed, kept, unchanged } = settlePost(post, replacements);
  const wanted = beyond.size ? all.filter(({ address }) => !beyond.has(address)) : all;
  const { requested, waiting } = splitBlocked(post.matched, wanted, context);
  const keepable = new Set(post.items.filter(isKeepable).map(({ address }) => address));
  const request = requested.length ? requestNode(post.matched, requested, context) : undefined;
  return {
    nodes: request
      ? [...requestNodes(request, requested, context), ...blockedNodes(request, waiting, context)]
      : [],
    /** Those of the state that get another take. */
    renewed: request ? requested.flatMap(({ known, address }) => (known ? address : [])) : [],
    failed: failed.map((each) => note(each, context)),
    held: held.map((each, index) => ({
      ...edited(each, each.decision.reasons),
      again: requestedAgain(post, { each, index }),
      ...(isMissing(each) && { isGone: true }),
      ...(keepable.has(each.address) && { isKeepable: true }),
      ...(holdersOf(each).length && { heldBy: holdersOf(each) }),
    })),
    kept: kept.map((each) => ({ ...edited(each, each.reasons), why: each.why })),
    unchanged,
    ...(request && request.action !== 'blocked'
      ? {
          newPosts: request.payload.numberOfPosts,
          replaced: requested.filter(({ decision }) => decision.type === 'replace').length,
          rejected: requested.filter(isRejected).map(({ address }) => address),
        }
      : { newPosts: 0, replaced: 0, rejected: [] }),
  };
}

/** Items that show a blocked product are left out of the request, unless it has no others or is indivisible. */
function splitBlocked({ post }: MatchedPost, wanted: readonly WantedItem[], { blocked }: RequestContext) {
  const all = { requested: wanted, waiting: [] };
  const isWhole =
    post.numberOfPosts !== undefined || addressesOf([post.concept]).some((each) => blocked.has(each));
  if (blocked.size === 0 || isWhole) return all;
  const causeOf = ({ item }: WantedItem) => item.products.find((address) => blocked.has(address));
  const waiting = wanted.flatMap((item) => {
    const cause = causeOf(item);
    return cause === undefined ? [] : [{ item, cause }];
  });
  const requested = wanted.filter((item) => causeOf(item) === undefined);
  return requested.length ? { requested, waiting } : all;
}

function waitsFor(cause: Address, { blocked }: RequestContext) {
  const summary = `waits for ${cause}${blocked.get(cause) ?? ''}`;
  return { action: 'blocked', reasons: [{ summary, address: cause }] } as const;
}

function requestNode(
  { post, nextItem }: MatchedPost,
  wanted: readonly WantedItem[],
  context: RequestContext,
): PlannedAs<'request'> {
  const n = context.nextRequest(post.path);
  const dependsOn = [
    ...new Set([...addressesOf([post.concept]), ...wanted.flatMap(({ item }) => item.products)]),
  ];
  const letsGo = wanted.flatMap(({ address }) => context.lettingGo.get(address) ?? []);
  const cause = dependsOn.find((address) => context.blocked.has(address));
  const after = cause === undefined ? wanted.flatMap((item) => recheckNode(item, context) ?? []) : [];
  return {
    address: requestAddress(post.path, n),
    kind: 'media-config',
    ...(cause === undefined ? { action: 'create', reasons: [] } : waitsFor(cause, context)),
    dependsOn,
    ...(after.length ? { after } : {}),
    ...(post.numberOfPosts === undefined ? {} : { whole: true as const }),
    source: post.source,
    payload: {
      post: post.path,
      n,
      ...(post.period && { period: post.period.name }),
      concept: post.concept,
      numberOfPosts: Math.max(post.numberOfPosts ?? 0, wanted.length),
      items: wanted.map(({ name, item }) => {
        const { fingerprint, inputs, payload } = item;
        return { item: name, fingerprint, inputs, payload };
      }),
      nextItem,
      ...(letsGo.length && { letsGo }),
    },
  };
}

/** Where older takes of its posts are known, what becomes of their files is decided now. */
function requestNodes(
  request: PlannedAs<'request'>,
  requested: readonly WantedItem[],
  { outputs, state }: RequestContext,
): PlannedNode[] {
  const { action, payload } = request;
  if (action !== 'blocked' && requested.every(({ known }) => !known)) {
    const asked = requested.map(({ name, item, decision }) => ({ name, item, decision }));
    return [{ ...request, takes: () => asked.flatMap((each) => newTake(each, request, { outputs })) }];
  }
  const olderOf = (address: Address) =>
    outputs ? olderFiles(state, state.media.get(address), { beside: payload.n, outputs }) : [];
  return [
    request,
    ...requested.flatMap((each) => newTake(each, request, { outputs, older: olderOf(each.address) })),
  ];
}

/** The posts of items that are left out of the request. */
function blockedNodes(
  request: PlannedAs<'request'>,
  waiting: readonly { readonly item: WantedItem; readonly cause: Address }[],
  context: RequestContext,
): PlannedNode[] {
  const { outputs } = context;
  return waiting.flatMap(({ item, cause }) =>
    newTake(item, { ...request, ...waitsFor(cause, context) }, { outputs }),
  );
}

interface TakeFiles {
  readonly outputs: OutputPaths | false;
  readonly older?: DownloadPayload['older'];
}

/** What a request brings in of one of its items; where it waits for something, they wait for the same. */
function newTake(
  { name, item, decision }: Pick<WantedItem, 'name' | 'item' | 'decision'>,
  { address: request, action, reasons, payload: { post, n, concept } }: PlannedAs<'request'>,
  { outputs, older = [] }: TakeFiles,
): PlannedNode[] {
  const shown = () => shownBy(concept, item.payload);
  const values = { post, item: name, postType: item.payload.post_type, take: n, shown };
  return takeNodes({
    action: action === 'blocked' ? action : decision.type,
    reasons: action === 'blocked' ? reasons : decision.reasons,
    source: item.source,
    take: { post, item: name, take: n, request, requestedAs: name },
    poll: { inputs: item.inputs, seen: false },
    download: outputs && { path: outputs(values), older },
  });
}

/** The node that rechecks the post which an item has already, if it failed or was lost. */
function recheckNode({ known, address }: DecidedItem, { state }: RequestContext): Address | undefined {
  const take = known && currentTake(known);
  return take && canBeRechecked(state, take) ? takeAddress(address, take.n) : undefined;
}

function isRejected({ decision }: WantedItem): boolean {
  return decision.type === 'replace' && decision.asked === 'rejected';
}

/** Where a post is requested as a whole, the first of its items stands for all of them. */
function requestedAgain(
  { matched: { post }, items }: DecidedPost,
  { each, index }: { readonly each: DecidedItem; readonly index: number },
): NonNullable<EditedPost['again']> {
  const isWhole = post.numberOfPosts !== undefined;
  const asked = isWhole ? (index === 0 ? items : []) : [each];
  const least = index === 0 ? (post.numberOfPosts ?? 0) : 0;
  return {
    numberOfPosts: Math.max(least, asked.length),
    items: asked.map(({ item: { payload } }) => ({ payload: { post_type: payload.post_type } })),
  };
}

function edited({ address, item }: DecidedItem, reasons: readonly Reason[]): EditedPost {
  return { address, reasons, source: item.source };
}

function note(decided: DecidedItem, context: RequestContext): Noted {
  const { address, item, known, decision } = decided;
  const problem = decision.type === 'stuck' ? decision.problem : known && currentTake(known)?.problem;
  const isGone = known && currentTake(known)?.status === 'lost' && decision.type === 'failed';
  return {
    address,
    source: item.source,
    counts: 1,
    problem,
    recheck: recheckNode(decided, context),
    ...(isGone && { isGone }),
  };
}
