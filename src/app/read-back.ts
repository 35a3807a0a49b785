/** Reads single things that the state knows, and says what that shows; concludes nothing from what is not clear. */
import { type Address, takeAddress } from '../model/address.ts';
import { kindOf, type NodeKind } from '../model/kinds.ts';
import type { Problem } from '../model/problem.ts';
import {
  createdItem,
  type Drift,
  type Learned,
  type MediaResult,
  type RequestResult,
  type Told,
} from '../model/result.ts';
import {
  currentTake,
  type ObjectState,
  type RequestState,
  type RunState,
  type TakeState,
} from '../model/run-state.ts';
import type { Client } from '../service/client.ts';
import { isSameId } from '../service/read-id.ts';
import { readMediaStatus, type StatusNames } from '../service/read-media-status.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import { BAD_ANSWER, type ServiceError } from '../service/service-error.ts';
import { findMedia, strayProblem } from '../steps/find-media.ts';
import { createLinks } from '../steps/links.ts';
import type { MediaLookup } from '../steps/media-lookup.ts';
import { compareProduct, type ProductTexts } from '../steps/product-told.ts';
import { err, ok } from '../util/result.ts';
import { type JsonObject, textOf } from '../util/json.ts';
import type { Read } from './patient-reads.ts';

/** Something that the state knows and that can be read. */
export type Known =
  | { readonly type: 'product'; readonly address: Address; readonly id: string; readonly object: ObjectState }
  | {
      readonly type: 'request';
      readonly address: Address;
      readonly id: string;
      readonly request: RequestState;
    }
  | {
      readonly type: 'post';
      /** With its take. */
      readonly address: Address;
      readonly take: TakeState;
      readonly request: RequestResult;
      readonly item: JsonObject;
    };

export type Reading = { readonly known: Known } & (
  | {
      readonly came: 'here';
      readonly told?: Told;
      readonly drift?: Drift;
      readonly media?: MediaResult;
      readonly learned?: Learned;
    }
  | { readonly came: 'absent' }
  | { readonly came: 'unclear'; readonly problem: Problem; readonly error?: ServiceError }
);

type Outcome = Reading extends infer Each ? (Each extends Reading ? Omit<Each, 'known'> : never) : never;

/** Products, the requests of newest takes, and of these takes those that were finished, or that the service had no more. */
export function knownThings({ objects, requests, media }: RunState): Known[] {
  const known: Known[] = [];
  for (const object of objects.values()) {
    const { address, result } = object;
    if (kindOf(address) === 'product' && result && 'id' in result)
      known.push({ type: 'product', address, id: result.id, object });
  }
  const newest = new Set([...media.values()].map((post) => currentTake(post)?.request));
  for (const request of requests.values()) {
    const { address, status, result } = request;
    if (status === 'done' && result && newest.has(address))
      known.push({ type: 'request', address, id: result.id, request });
  }
  for (const post of media.values()) {
    const take = currentTake(post);
    if (!take || (take.status !== 'done' && take.status !== 'lost')) continue;
    const request = requests.get(take.request)?.result;
    const item = request && createdItem(request, take.requestedAs);
    if (item) known.push({ type: 'post', address: takeAddress(post.address, take.n), take, request, item });
  }
  return known;
}

/** Whether the state says already that the service has it no more. */
export function isKnownGone(known: Known): boolean {
  if (known.type === 'product') return known.object.goneAt !== undefined;
  if (known.type === 'request') return known.request.goneAt !== undefined;
  return known.take.status === 'lost' || known.take.goneAt !== undefined;
}

export interface ReadBack {
  readonly client: Client;
  readonly read: Read;
  readonly lookup: MediaLookup;
  readonly statuses: StatusNames;
  readonly mediaUrls: string | undefined;
}

const KIND_OF: Readonly<Record<Known['type'], NodeKind>> = {
  product: 'product',
  request: 'media-config',
  post: 'media',
};

export async function readBack(known: Known, back: ReadBack): Promise<Reading> {
  const read = await back.read(KIND_OF[known.type], async () => {
    const outcome = await lookAt(known, back);
    // What another attempt may answer otherwise is an error, so that it is asked for again.
    return outcome.came === 'unclear' && outcome.error ? err(outcome.error) : ok(outcome);
  });
  const outcome: Outcome = read.ok
    ? read.value
    : { came: 'unclear', problem: read.error.problem, error: read.error };
  return { known, ...outcome };
}

function lookAt(known: Known, back: ReadBack): Promise<Outcome> {
  if (known.type === 'product') return lookAtProduct(known, back);
  return known.type === 'request' ? lookAtRequest(known, back) : lookAtPost(known, back);
}

async function lookAtProduct(
  { id, object }: Extract<Known, { type: 'product' }>,
  { client }: ReadBack,
): Promise<Outcome> {
  const answer = await client.examineProduct(id);
  if (!answer.ok) return absentOr(answer.error);
  // After an update of which nobody knows what became, a difference may be that update. The next run sends all fields.
  if (object.status === 'failed') return { came: 'here' };
  const { plain } = createLinks(client.redact);
  const told = object.result && 'told' in object.result ? object.result.told : undefined;
  return { came: 'here', ...compareProduct(answer.value, { sent: textsOf(object), told, plain }) };
}

/** What was last sent. */
function textsOf({ address, inputs, result }: ObjectState): ProductTexts {
  const recorded = result && 'name' in result ? result.name : undefined;
  return {
    name: textOf(inputs['name']) || (recorded ?? address.slice('product/'.length)),
    description: textOf(inputs['description']),
    variant: textOf(inputs['variant']),
  };
}

async function lookAtRequest(
  { id }: Extract<Known, { type: 'request' }>,
  { client }: ReadBack,
): Promise<Outcome> {
  const answer = await client.getMediaConfig(id);
  if (!answer.ok) return absentOr(answer.error);
  if (isSameId(answer.value.id, id)) return { came: 'here' };
  return unusable(`GET /media-config/${id}/ is answered with ${answer.value.id}`);
}

async function lookAtPost(
  { request, item }: Extract<Known, { type: 'post' }>,
  { client, lookup, statuses, mediaUrls }: ReadBack,
): Promise<Outcome> {
  const found = await findMedia({ request, item, io: { client, lookup }, signal: undefined });
  switch (found.type) {
    case 'found': {
      const { id, status, media_info: info, askedAt } = found.media;
      if (readMediaStatus(status, statuses) !== 'done')
        return unusable(`It was finished, and now the service says that its status is "${status}"`);
      const { plain } = createLinks(client.redact);
      const media = { id, urls: readMediaUrls(info, { pointer: mediaUrls, askedAt }).map(plain) };
      return { came: 'here', media, ...(found.learned && { learned: found.learned }) };
    }
    case 'absent':
      if (found.refusal) return { came: 'unclear', problem: found.refusal.problem };
      return found.stray ? { came: 'unclear', problem: strayProblem(found.stray) } : { came: 'absent' };
    case 'busy':
      return unusable('Another post is finding out where posts are');
    case 'error':
      return absentOr(found.error);
  }
}

function absentOr(error: ServiceError): Outcome {
  if (error.status === 404 || error.status === 410) return { came: 'absent' };
  return { came: 'unclear', problem: error.problem, error };
}

function unusable(detail: string): Outcome {
  return { came: 'unclear', problem: { summary: BAD_ANSWER, detail: `${detail}.` } };
}
