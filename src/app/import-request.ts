/** A media configuration that somebody else requested, with its items matched to those of the manifest. */
import { addressesOf } from '../model/address.ts';
import type { Refusal } from '../model/problem.ts';
import type { ObjectRef, RequestPayload } from '../model/payload.ts';
import type { RequestResult } from '../model/result.ts';
import { currentTake, type RunState } from '../model/run-state.ts';
import type { Locate } from '../model/source.ts';
import type { MatchedItem, MatchedPost } from '../match/match-state.ts';
import type { Client } from '../service/client.ts';
import { isSameId } from '../service/read-id.ts';
import type { MediaConfigAnswer } from '../service/read-media-config.ts';
import { keptItems } from '../steps/kept-item.ts';
import { requestedBy } from '../steps/known-requests.ts';
import { matchCreatedItems } from '../steps/match-created-items.ts';
import { textOf } from '../util/json.ts';
import { err, ok, type Result } from '../util/result.ts';
import { notFound } from './resolve-look-up.ts';

interface Asked {
  readonly post: MatchedPost;
  readonly n: number;
  readonly state: RunState;
  readonly template: string | undefined;
  readonly locate: Locate;
}

interface Found {
  readonly request: RequestPayload;
  readonly result: RequestResult;
}

/** Items that have a post already take no other one. */
export async function readImportedRequest(
  id: string,
  asked: Asked,
  client: Client,
): Promise<Result<Found, Refusal>> {
  const { state, template } = asked;
  const answer = await client.getMediaConfig(id);
  if (!answer.ok) return err(notFound(id, answer.error.problem.detail));
  const config = answer.value;
  if (!isSameId(config.id, id)) return err(notFound(id, `the answer is about ${config.id}`));
  const concept = idOf(asked.post.post.concept, state);
  const isOther = config.concept_id !== undefined && concept !== '' && !isSameId(config.concept_id, concept);
  if (isOther)
    return err(notFound(id, `it belongs to the concept ${config.concept_id}, and the post to ${concept}`));
  const open = asked.post.items.filter(isWithoutPost);
  const whole = payloadOf(open, asked, config);
  const { sent, nextItem } = requestedBy(whole, state);
  const created = matchCreatedItems(sent, config.items, nextItem, 'left');
  const matched = open.filter(({ name }) => Object.hasOwn(created.items, name));
  if (!matched.length) return err(notFound(id, whyUnlike(config, open)));
  const payload = payloadOf(matched, asked, config);
  const items = keptItems(created, { payload, template });
  const { surplus } = created;
  const result = {
    id,
    concept: config.concept_id ?? concept,
    items,
    ...(surplus.length ? { surplus } : {}),
  };
  return ok({ request: { ...payload, nextItem }, result });
}

function isWithoutPost({ known }: MatchedItem): boolean {
  const status = known && currentTake(known)?.status;
  return status === undefined || status === 'failed' || status === 'lost' || status === 'skipped';
}

/** Nothing is paid for it by this state. */
function payloadOf(
  items: readonly MatchedItem[],
  { post: { post, nextItem }, n, locate }: Asked,
  { number_of_posts: posts = 0, items: made }: MediaConfigAnswer,
): RequestPayload {
  return {
    post: post.path,
    n,
    ...(post.period && { period: post.period.name }),
    concept: post.concept,
    numberOfPosts: Number.isInteger(posts) && posts > 0 ? posts : made.length,
    items: items.map(({ name, item: { fingerprint, inputs, payload, source } }) => {
      const line = locate(source)?.line;
      return { item: name, fingerprint, inputs, payload, ...(line === undefined ? {} : { line }) };
    }),
    nextItem,
    cost: 0,
  };
}

function whyUnlike({ items }: MediaConfigAnswer, open: readonly MatchedItem[]): string {
  if (!open.length) return 'every item of this post has a post already';
  const made = items.map(({ post_type: type }) => textOf(type)).join(', ') || 'nothing';
  const asked = open.map(({ item }) => item.payload.post_type).join(', ');
  return `it holds ${made}, and nothing of it is what the manifest asks for (${asked})`;
}

function idOf(concept: ObjectRef, { objects }: RunState): string {
  if ('id' in concept) return concept.id;
  const [result] = addressesOf([concept]).map((address) => objects.get(address)?.result);
  return result && 'id' in result ? result.id : '';
}
