/** Plans new media configurations: for each instance one request for exactly the items without a kept result. */
import { type Address, mediaAddress, requestAddress, takeAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { Noted, PlannedNode, PlannedReplacement, Reason } from '../model/plan.ts';
import { currentTake, type RunState } from '../model/run-state.ts';
import { type Decision, decideItem, type Wishes } from './decide-item.ts';
import type { MatchedItem, MatchedPost } from './match-items.ts';
import { type OutputTemplate, outputPath } from '../model/output-path.ts';
import { takeNodes } from '../model/take-nodes.ts';
import type { Versions } from './reasons.ts';
import type { IsSelected } from './select.ts';
import { canBeLookedFor } from './look-again.ts';
import { olderFiles } from './take-files.ts';

export interface RequestContext {
  readonly graph: Graph;
  readonly state: RunState;
  readonly versions: Versions;
  /** Objects that nothing may depend on, with the cause. */
  readonly blocked: ReadonlyMap<Address, Address>;
  readonly outputs: OutputTemplate | false;
  readonly replacements: 'make' | 'hold';
  readonly wishes: Wishes;
  readonly isSelected: IsSelected;
  nextRequest(post: string): number;
}

export interface PostPlan {
  readonly nodes: readonly PlannedNode[];
  readonly failed: readonly Noted[];
  readonly held: readonly PlannedReplacement[];
  readonly unchanged: number;
  readonly newPosts: number;
}

type Decided = MatchedItem & { readonly decision: Decision; readonly address: Address };
type Wanted = Decided & { readonly decision: Extract<Decision, { reasons: readonly Reason[] }> };

export function planPost(matched: MatchedPost, context: RequestContext): PostPlan {
  const decided = decideAll(matched, context);
  const settled = asWhole(matched, decided);
  const wanted = settled.filter(isWanted);
  const replaced = wanted.filter(({ decision }) => needsConsent(decision));
  const held = context.replacements === 'hold' ? replaced : [];
  const whole = matched.post.numberOfPosts !== undefined;
  const requested = held.length ? wanted.filter(({ decision }) => !whole && !needsConsent(decision)) : wanted;
  const nodes = requested.length ? requestNodes(matched, requested, context) : [];
  const request = nodes[0];
  return {
    nodes,
    failed: (nodes.length ? settled : decided)
      .filter(({ decision }) => decision.type === 'failed')
      .map((each) => note(each, context)),
    held: held.map(({ address, decision, item }) => ({
      address,
      reasons: decision.reasons,
      source: item.source,
    })),
    unchanged: settled.filter(isAsItShouldBe).length,
    newPosts:
      request?.kind === 'media-config' && request.action !== 'blocked' ? request.payload.numberOfPosts : 0,
  };
}

function decideAll({ post, items }: MatchedPost, context: RequestContext): Decided[] {
  return items.flatMap((item) => {
    const address = mediaAddress(post.path, item.name);
    // A post that is requested as a whole is selected as a whole.
    const isSelected =
      context.isSelected(address) ||
      (post.numberOfPosts !== undefined &&
        items.some(({ name }) => context.isSelected(mediaAddress(post.path, name))));
    return isSelected ? [{ ...item, address, decision: decideItem(item, address, context) }] : [];
  });
}

/** A post that is being generated is kept as well, but it is counted by how it ends. */
function isAsItShouldBe({ decision, known }: Decided): boolean {
  return decision.type === 'keep' && known !== undefined && currentTake(known)?.status !== 'pending';
}

/** Paying again for a finished post needs consent, unless the user named the post. */
function needsConsent(decision: Decision): boolean {
  return decision.type === 'replace' && decision.asked === undefined;
}

function isWanted(item: Decided): item is Wanted {
  return item.decision.type === 'create' || item.decision.type === 'replace';
}

/** If number_of_posts differs from the number of items, the post is indivisible: one wanted item requests all. */
function asWhole({ post }: MatchedPost, items: readonly Decided[]): readonly Decided[] {
  if (post.numberOfPosts === undefined || !items.some(isWanted)) return items;
  if (items.some(({ decision }) => decision.type === 'unknown'))
    return items.filter((item) => !isWanted(item));
  const reasons = [{ summary: 'requested as a whole: number_of_posts differs from the number of items' }];
  return items.map((item) => {
    if (item.decision.type === 'keep') return { ...item, decision: { type: 'replace', reasons } };
    return item.decision.type === 'failed' ? { ...item, decision: { type: 'create', reasons } } : item;
  });
}

function requestNodes(
  matched: MatchedPost,
  wanted: readonly Wanted[],
  context: RequestContext,
): PlannedNode[] {
  const { post } = matched;
  const n = context.nextRequest(post.path);
  const request = requestAddress(post.path, n);
  const concept = 'address' in post.concept ? [post.concept.address] : [];
  const dependsOn = [...new Set([...concept, ...wanted.flatMap(({ item }) => item.products)])];
  const cause = dependsOn.flatMap((address) => context.blocked.get(address) ?? [])[0];
  const waits: readonly Reason[] | undefined =
    cause === undefined ? undefined : [{ summary: `waits for ${cause}`, address: cause }];
  const numberOfPosts =
    post.numberOfPosts === undefined ? wanted.length : Math.max(post.numberOfPosts, wanted.length);
  const after = waits ? [] : wanted.flatMap((item) => lookOf(item, context) ?? []);
  const node: PlannedNode = {
    address: request,
    kind: 'media-config',
    action: waits ? 'blocked' : 'create',
    reasons: waits ?? [],
    dependsOn,
    ...(after.length ? { after } : {}),
    ...(post.numberOfPosts === undefined ? {} : { whole: true as const }),
    source: post.source,
    payload: {
      post: post.path,
      n,
      concept: post.concept,
      numberOfPosts,
      items: wanted.map(({ name, item: { fingerprint, inputs, payload } }) => ({
        item: name,
        fingerprint,
        inputs,
        payload,
      })),
      nextItem: matched.nextItem,
    },
  };
  return [
    node,
    ...wanted.flatMap((item) => wantedNodes(item, { post: post.path, n, request, waits, context })),
  ];
}

interface Request {
  readonly post: string;
  readonly n: number;
  readonly request: Address;
  readonly waits: readonly Reason[] | undefined;
  readonly context: RequestContext;
}

function wantedNodes(wanted: Wanted, { post, n, request, waits, context }: Request): PlannedNode[] {
  const { address, name, item, decision } = wanted;
  const { outputs, state } = context;
  const values = { post, item: name, postType: item.payload.post_type, take: n };
  return takeNodes({
    action: waits ? 'blocked' : decision.type,
    reasons: waits ?? decision.reasons,
    source: item.source,
    take: { post, item: name, take: n, request, requestedAs: name },
    poll: { inputs: item.inputs, seen: false },
    download: outputs && {
      path: outputPath(outputs, values),
      older: olderFiles(state, state.media.get(address), { beside: n, outputs }),
    },
  });
}

/** The node that rechecks the post which an item has already, if it failed or was lost. */
function lookOf({ known, address }: Decided, { state }: RequestContext): Address | undefined {
  const take = known && currentTake(known);
  return take && canBeLookedFor(state, take) ? takeAddress(address, take.n) : undefined;
}

function note(decided: Decided, context: RequestContext): Noted {
  const { address, item, known } = decided;
  const take = known && currentTake(known);
  const problem = take?.problem;
  const look = lookOf(decided, context);
  return {
    address,
    source: item.source,
    counts: 1,
    ...(problem ? { problem } : {}),
    ...(look === undefined ? {} : { look }),
  };
}
