/**
 * The free requests of `doctor`: a token, and reading what the state says exists. Where it knows nothing, ids that do not
 * exist are read, because the answers show something too.
 */
import type { Manifest } from '../manifest/manifest.ts';
import { productKey, takeAddress } from '../model/address.ts';
import { objectAddress } from '../model/kinds.ts';
import { createdItem } from '../model/result.ts';
import type { RequestState, RunState } from '../model/run-state.ts';
import type { Client } from '../service/client.ts';
import type { Observation } from '../service/call-service.ts';
import { isSameId } from '../service/read-id.ts';
import type { CreatedItem, MediaConfigAnswer } from '../service/read-media-config.ts';
import { isFromElsewhere, type ServiceError } from '../service/service-error.ts';
import type { MediaAnswer } from '../service/read-records.ts';
import type { ProductRecord } from '../service/wire.ts';
import { createMediaLookup, LEARNED_MEDIA_PATH, mediaPlaces } from '../steps/media-lookup.ts';
import { textOf } from '../util/json.ts';
import type { Result } from '../util/result.ts';

/** One thing that was read; `address` is absent where the id was made up. */
interface Reading<T> {
  readonly address?: string;
  readonly answer: Result<T, ServiceError>;
}

export interface MediumReading extends Reading<MediaAnswer> {
  readonly template?: string;
  /** The answer is this post, not another one. */
  readonly isFound: boolean;
  /** The service has answered for this post before, so one of the paths has to have it. */
  readonly isKnown: boolean;
}

/** The results of the free requests. What could not be asked for is absent. */
export interface FreeAnswers {
  readonly observed: readonly Observation[];
  readonly product?: Reading<ProductRecord>;
  readonly request?: Reading<MediaConfigAnswer> & { readonly known: RequestState };
  /** In the order in which a post was looked for, until it was found. */
  readonly media: readonly MediumReading[];
}

export const NOTHING_ASKED: FreeAnswers = { observed: [], media: [] };

interface Subject {
  readonly client: Client;
  readonly manifest: Manifest;
  readonly state: RunState;
  readonly observed: readonly Observation[];
  readonly newId: () => string;
  readonly signal: AbortSignal;
}

/** Stops at the first request that gets no answer; the first request fetches the token. */
export async function askService(subject: Subject): Promise<FreeAnswers> {
  const { client, observed, newId, signal, state } = subject;
  const known = knownProduct(subject);
  const answer = await client.getProduct(known?.id ?? newId(), { signal });
  const product = { ...(known ? { address: known.address } : {}), answer };
  if (isEnd(answer)) return { observed, product, media: [] };
  const take = knownTake(state);
  const asked = take?.request ?? [...state.requests.values()].findLast(({ result }) => result);
  const request = asked?.result && {
    address: asked.address,
    answer: await client.getMediaConfig(asked.result.id, { signal }),
    known: asked,
  };
  const read = { observed, product, ...(request ? { request } : {}) };
  if (request && isEnd(request.answer)) return { ...read, media: [] };
  const whole = request?.answer.ok ? request.answer.value.items : [];
  if (take) return { ...read, media: await findTake(take, whole, subject) };
  const nobody = await client.getMedia(newId(), newId(), { signal });
  return { ...read, media: [{ answer: nobody, isFound: false, isKnown: false }] };
}

function isEnd(answer: Result<unknown, ServiceError>): boolean {
  if (answer.ok) return false;
  const { came, noToken } = answer.error;
  if (isFromElsewhere(answer.error)) return true;
  return noToken || ['not-sent', 'no-answer', 'unauthorized', 'throttled', 'aborted'].includes(came);
}

function knownProduct({ state, manifest }: Subject): { address: string; id: string } | undefined {
  const made = [...state.objects.values()].flatMap(({ address, result, goneAt }) =>
    productKey(address) !== undefined && goneAt === undefined && result && 'id' in result
      ? [{ address, id: result.id }]
      : [],
  );
  const named = manifest.products.flatMap(({ key, id }) =>
    id ? [{ address: objectAddress('product', key), id }] : [],
  );
  return made.at(-1) ?? named.at(-1);
}

/** The newest post that is done, else the newest one at all. */
function knownTake({ media, requests }: RunState) {
  const known = [...media.values()].flatMap(({ address, takes }) =>
    takes.flatMap((take) => {
      const request = requests.get(take.request);
      const item = request?.result && createdItem(request.result, take.requestedAs);
      if (!request?.result || !item) return [];
      return [{ address: takeAddress(address, take.n), take, request, made: request.result, item }];
    }),
  );
  return known.findLast(({ take }) => take.status === 'done') ?? known.at(-1);
}

async function findTake(
  { address, take, made, item: kept }: NonNullable<ReturnType<typeof knownTake>>,
  whole: readonly CreatedItem[],
  subject: Subject,
): Promise<MediumReading[]> {
  const { client, manifest, state, signal } = subject;
  const template = manifest.environment.gaps.mediaPath ?? state.learned.get(LEARNED_MEDIA_PATH);
  const item = { ...whole.find(({ id }) => isSameId(id, textOf(kept['id']))), ...kept };
  const readings: MediumReading[] = [];
  for (const place of mediaPlaces(createMediaLookup(template), made, item)) {
    const answer = await client.getMedia(place.objectId, place.id, { signal });
    const owner = answer.ok ? answer.value.generate_config : undefined;
    // As a run reads it: while the path is not known, an answer must name its media configuration.
    const isFound =
      (owner !== undefined && isSameId(owner, made.id)) || (owner === '' && template !== undefined);
    const isKnown = take.seen || take.status === 'done';
    readings.push({ address, answer, template: place.template, isFound, isKnown });
    if (isEnd(answer) || isFound) break;
  }
  return readings;
}
