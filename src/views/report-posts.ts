import { type Address, postPlanOf, productKey, requestAddress, takeAddress } from '../model/address.ts';
import type { GraphItem, GraphPost } from '../model/graph.ts';
import type { ItemPayload, ObjectRef } from '../model/payload.ts';
import type { Problem } from '../model/problem.ts';
import {
  currentTake,
  type MediaState,
  type RequestState,
  type RunState,
  type TakeState,
} from '../model/run-state.ts';
import type { SourceRef } from '../model/source.ts';
import { verdictAbout, type Verdicts } from '../model/verdict.ts';
import { inertText } from '../util/inert-text.ts';
import { causeText } from './cause-words.ts';
import type { Coverage } from './coverage.ts';
import type { SheetPost, SheetStatus, Take, TakeDecision } from './report-data.ts';
import type { Pictures } from './report-pictures.ts';
import type { WantedPost } from './wanted-posts.ts';

/** What the plan was made over: the state after the moves, and which of its posts each item of the manifest is. */
export interface MatchedPosts {
  readonly state: Pick<RunState, 'media' | 'requests'>;
  readonly posts: readonly {
    readonly post: GraphPost;
    readonly items: readonly {
      readonly address: Address;
      readonly item: GraphItem;
      readonly known?: MediaState | undefined;
    }[];
  }[];
}

export interface PostInput {
  readonly matched: MatchedPosts;
  readonly wanted: readonly WantedPost[];
  readonly open: Coverage['open'];
  readonly verdicts: Verdicts;
  readonly pictures: Pictures;
  readonly priceOf: (type: string) => number | null;
  readonly placeOf: (source: SourceRef | undefined) => string | null;
  readonly before?: PostMemory | undefined;
}

/**
 * The posts of the version before, by address, with what they were made of: a post of which nothing has changed is the same
 * object again. It is good for one manifest and its verdicts.
 */
export type PostMemory = Map<Address, { readonly post: SheetPost; readonly of: readonly unknown[] }>;

/** In the order of the manifest; then posts that only the state has, by their addresses. */
export function sheetPosts(input: PostInput): SheetPost[] {
  const { matched, wanted, before = new Map() } = input;
  const ends = new Map(wanted.map((post) => [post.address, post]));
  const causes = new Map(input.open.map(({ address, problem }) => [address, problem]));
  const seen = new Set<Address>();
  const posts: SheetPost[] = [];
  for (const { post, items } of matched.posts) {
    for (const { address, item, known } of items) {
      seen.add(address);
      const { end = 'missing', isOutdated = false, isGenerated = false } = ends.get(address) ?? {};
      const status = end === 'pending' && isGenerated ? 'to_download' : end;
      const cause = end === 'done' ? null : causeOf({ address, path: post.path, known }, causes, matched);
      const make = (): SheetPost => {
        const about = { payload: item.payload, concept: post.concept, source: item.source };
        const facts = known ? madePost(known, about, input) : unmadePost(address, about, input);
        return { ...facts, status, outOfDate: isOutdated, wanted: true, cause };
      };
      posts.push(remembered(address, [item, known, status, isOutdated, cause], { before, make }));
    }
  }
  const others = [...matched.state.media.values()].filter(({ address }) => !seen.has(address));
  others.sort((a, b) => (a.address < b.address ? -1 : 1));
  for (const media of others) {
    const request = matched.state.requests.get(currentTake(media)?.request ?? '');
    const make = () => otherPost(media, request, input);
    posts.push(remembered(media.address, [media, request], { before, make }));
  }
  return posts;
}

function remembered(
  address: Address,
  of: readonly unknown[],
  { before, make }: { readonly before: PostMemory; readonly make: () => SheetPost },
): SheetPost {
  const known = before.get(address);
  if (known?.of.length === of.length && known.of.every((each, index) => each === of[index]))
    return known.post;
  const post = make();
  before.set(address, { post, of });
  return post;
}

interface About {
  readonly payload: ItemPayload | undefined;
  readonly concept: ObjectRef | undefined;
  readonly source?: SourceRef;
}

type Facts = Omit<SheetPost, 'status' | 'outOfDate' | 'wanted' | 'cause'>;

function unmadePost(address: Address, { payload, concept, source }: About, input: PostInput): Facts {
  const [product = null, ...others] = (payload?.assets ?? []).map((asset) => keyOf(asset.product));
  const type = payload?.post_type ?? '';
  const [caption = '', ...alsoSays] = (payload?.descriptions ?? []).map((text) => inertText(text));
  return {
    address,
    plan: postPlanOf(address.slice('media/'.length)),
    product,
    concept: concept ? keyOf(concept) : null,
    alsoShows: [...new Set(others)].flatMap((key) => (key === null || key === product ? [] : [key])),
    ratio: payload?.metadata.aspect_ratio ?? '',
    type,
    caption,
    alsoSays,
    cost: input.priceOf(type),
    at: input.placeOf(source),
    takes: [],
  };
}

function madePost(media: MediaState, about: About, input: PostInput): Facts {
  const takes = media.takes.flatMap((take) => shownTake(take, input) ?? []);
  return { ...unmadePost(media.address, about, input), takes };
}

/** Of a past period, beyond what was asked for, or no longer named by the manifest. */
function otherPost(media: MediaState, request: RequestState | undefined, input: PostInput): SheetPost {
  const last = currentTake(media);
  const payload = request?.payload.items.find(({ item }) => item === last?.requestedAs)?.payload;
  return {
    ...madePost(media, { payload, concept: request?.payload.concept }, input),
    status: last ? AS_POST[last.status] : 'missing',
    outOfDate: false,
    wanted: false,
    cause: last?.problem ? causeText(last.problem) : null,
  };
}

const AS_POST: Readonly<Record<TakeState['status'], SheetStatus>> = {
  done: 'done',
  pending: 'pending',
  failed: 'failed',
  unknown: 'unknown',
  lost: 'failed',
  skipped: 'given_up',
};

/** Only what was generated; a take without files has no picture. */
function shownTake(take: TakeState, { pictures, verdicts }: PostInput): Take | undefined {
  if (take.status !== 'done' || !take.result) return undefined;
  const files = take.files ?? [];
  const written = take.downloadedAt ?? take.requestedAt;
  return {
    media: take.result.id,
    take: take.n,
    made: take.settledAt ?? written,
    pictures: files.map(({ path: file, sha256, contentType, bytes }) =>
      pictures.add({ file, sha256, contentType, bytes, from: 'output', written }),
    ),
    decision: decisionAbout(take.result.id, verdicts),
  };
}

function decisionAbout(media: string, verdicts: Verdicts): TakeDecision | null {
  const found = verdictAbout(media, verdicts);
  if (!found) return null;
  const { verdict, note = null, by = null, at = '' } = found;
  return { verdict, note, by, at };
}

interface Asked {
  readonly address: Address;
  readonly path: string;
  readonly known: MediaState | undefined;
}

/** Why a post is not done: its own cause, else that of its last request. */
function causeOf(
  { address, path, known }: Asked,
  causes: ReadonlyMap<string, Problem | undefined>,
  { state }: MatchedPosts,
): string | null {
  const take = known && currentTake(known);
  if (take?.problem) return causeText(take.problem);
  const takes = take ? [takeAddress(address, take.n)] : [];
  const requests = lastRequest(path, state.requests);
  const found = [address, ...takes, ...requests].flatMap((name) => causes.get(name) ?? [])[0];
  return found ? causeText(found) : null;
}

function lastRequest(path: string, requests: PostInput['matched']['state']['requests']): Address[] {
  let last: Address | undefined;
  for (let n = 1; requests.has(requestAddress(path, n)); n += 1) last = requestAddress(path, n);
  return last === undefined ? [] : [last];
}

function keyOf(ref: ObjectRef): string | null {
  if (!('address' in ref)) return null;
  return productKey(ref.address) ?? ref.address.slice(ref.address.indexOf('/') + 1);
}
