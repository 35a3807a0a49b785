import { type Address, mediaAddress, mediaOf, splitMedia, takeAddress } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { kindHas } from '../model/kinds.ts';
import type { OutputFile } from '../model/payload.ts';
import type { Plan } from '../model/plan.ts';
import { currentTake, type MediaState, type RunState, type TakeState } from '../model/run-state.ts';
import type { Verdicts } from '../model/verdict.ts';
import { type Judged, judgedAs } from './judged.ts';
import { findSettled } from './settled.ts';

/**
 * Each post has one of these. `missing`: never made, or of no use any more, and a run requests it. `blocked`: no run
 * requests it before something else is decided or made.
 */
export type PostEnd = 'done' | 'pending' | 'failed' | 'unknown' | 'given_up' | 'missing' | 'blocked';

/** A post that the manifest asks for. */
export interface WantedPost {
  readonly address: Address;
  /** `<post>[/<instance>]` */
  readonly post: string;
  readonly end: PostEnd;
  /** It is pending for its files alone. */
  readonly isGenerated: boolean;
  /** Made, or under way, from inputs that have changed since: a run with consent requests it again. */
  readonly isOutdated: boolean;
  /** Its inputs have changed, and it is kept all the same: it is approved, or its post plan says `regenerate: never`. */
  readonly isKept: boolean;
  /** What people decided about it; absent where it is not finished. */
  readonly judged?: Judged;
  /** The state has its files, and one of them is not where it was put. */
  readonly lacksFiles: boolean;
}

export interface Known {
  readonly plan: Plan;
  readonly verdicts: Verdicts;
  /** Whether a downloaded file is where it was put; without it all are. */
  readonly isHere?: (file: OutputFile) => boolean;
  /** What `wantedPosts` has made of all this before, for another view. */
  readonly wanted?: readonly WantedPost[];
}

export function wantedPosts(graph: Graph, state: RunState, known: Known): readonly WantedPost[] {
  const { plan, verdicts, isHere = () => true } = known;
  if (known.wanted) return known.wanted;
  const addressOf = afterMoves(plan);
  const requested = requestedPosts(plan);
  const kept = new Set(plan.kept.map(({ address }) => address));
  const unfetched = unfetchedTakes(plan);
  const wanted: WantedPost[] = [];
  for (const media of presentPosts(graph, state, plan)) {
    const take = currentTake(media);
    if (!take) continue;
    const address = addressOf(media);
    const asked = requested.get(address);
    const made = endOf(take, unfetched.has(takeAddress(address, take.n)));
    // What is under way or there is paid for; a new one is paid again.
    const isMade = take.status === 'done' || take.status === 'pending';
    const { files } = take;
    const judged = take.status === 'done' && files ? judgedAs(media, verdicts) : undefined;
    requested.delete(address);
    wanted.push({
      address,
      post: splitMedia(address).post,
      end: asked === undefined || isMade ? made : asked,
      isGenerated: made === 'pending' && take.status === 'done',
      isOutdated: asked !== undefined && isMade && judgedAs(media, verdicts) !== 'rejected',
      isKept: kept.has(address),
      ...(judged && { judged }),
      lacksFiles: made === 'done' && files !== undefined && !files.every(isHere),
    });
  }
  for (const [address, end] of requested) wanted.push(unmade(address, end));
  return wanted;
}

function unmade(address: Address, end: PostEnd): WantedPost {
  const { post } = splitMedia(address);
  return { address, post, end, isGenerated: false, isOutdated: false, isKept: false, lacksFiles: false };
}

/** A generated post is not done before its files are downloaded. */
function endOf({ status, problem }: TakeState, isUnfetched: boolean): PostEnd {
  if (status === 'done' && isUnfetched) return problem ? 'failed' : 'pending';
  if (status === 'lost') return 'failed';
  return status === 'skipped' ? 'given_up' : status;
}

/** The posts that a run requests, and those that it would if something did not block them. */
function requestedPosts({ nodes }: Plan): Map<Address, 'missing' | 'blocked'> {
  const requested = new Map<Address, 'missing' | 'blocked'>();
  for (const node of nodes) {
    if (!kindHas(node, 'stored', 'take') || node.action === 'resume') continue;
    const { post, item } = node.payload;
    requested.set(mediaAddress(post, item), node.action === 'blocked' ? 'blocked' : 'missing');
  }
  return requested;
}

function unfetchedTakes({ nodes }: Plan): Set<Address> {
  return new Set(nodes.flatMap((node) => (kindHas(node, 'stored', 'files') ? [mediaOf(node.address)] : [])));
}

/** Posts of the state that the manifest asks for. */
function presentPosts(graph: Graph, state: RunState, plan: Plan): MediaState[] {
  const addressOf = afterMoves(plan);
  const leftAlone = new Set(plan.leftAlone);
  const isSettled = findSettled(graph);
  return [...state.media.values()].filter((media) => {
    const address = addressOf(media);
    return !media.surplus && !leftAlone.has(address) && !isSettled(media, address);
  });
}

function afterMoves({ moves }: Plan) {
  const moved = new Map(moves.map(({ from, to }) => [from, to]));
  return ({ address }: MediaState) => moved.get(address) ?? address;
}
