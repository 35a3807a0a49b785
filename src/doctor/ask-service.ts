/**
 * The free requests of `doctor`: a token, and reading what the state says exists. Nothing is created, changed or
 * deleted. Where the state knows nothing, ids that do not exist are read, because the answers show something too.
 */
import type { Manifest } from '../manifest/manifest.ts';
import { productKey } from '../model/address.ts';
import { objectAddress } from '../model/kinds.ts';
import { createdItem } from '../model/result.ts';
import type { RequestState, RunState, TakeState } from '../model/run-state.ts';
import type { Client } from '../service/client.ts';
import type { Observation } from '../service/call-service.ts';
import { isSameId } from '../service/read-id.ts';
import type { CreatedItem, MediaConfigAnswer } from '../service/read-media-config.ts';
import type { ServiceError } from '../service/service-error.ts';
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
  const made = take?.request ?? [...state.requests.values()].findLast(({ result }) => result);
  const request = made && (await readRequest(made, subject));
  if (request && isEnd(request.answer)) return { observed, product, request, media: [] };
  const whole = request?.answer.ok ? request.answer.value.items : [];
  const media = take ? await findTake(take, whole, subject) : [await readNobody(subject)];
  return { observed, product, ...(request ? { request } : {}), media };
}

function isEnd(answer: Result<unknown, ServiceError>): boolean {
  if (answer.ok) return false;
  const { came, noToken } = answer.error;
  return noToken || ['not-sent', 'no-answer', 'unauthorized', 'throttled', 'aborted'].includes(came);
}

function knownProduct({ state, manifest }: Subject): { address: string; id: string } | undefined {
  const made = [...state.objects.values()].flatMap(({ address, result }) =>
    productKey(address) !== undefined && result && 'id' in result ? [{ address, id: result.id }] : [],
  );
  const named = manifest.products.flatMap(({ key, id }) =>
    id ? [{ address: objectAddress('product', key), id }] : [],
  );
  return made.at(-1) ?? named.at(-1);
}

interface KnownTake {
  readonly address: string;
  readonly take: TakeState;
  readonly request: RequestState & { result: NonNullable<RequestState['result']> };
}

/** The newest post that is done, else the newest one at all. */
function knownTake({ media, requests }: RunState): KnownTake | undefined {
  const known = [...media.values()].flatMap(({ address, takes }) =>
    takes.flatMap((take): KnownTake[] => {
      const request = requests.get(take.request);
      const { result } = request ?? {};
      if (!request || !result || !createdItem(result, take.requestedAs)) return [];
      return [{ address: `${address}@${take.n}`, take, request: { ...request, result } }];
    }),
  );
  return known.findLast(({ take }) => take.status === 'done') ?? known.at(-1);
}

async function readRequest(
  known: RequestState,
  { client, signal }: Subject,
): Promise<FreeAnswers['request']> {
  if (!known.result) return undefined;
  const answer = await client.getMediaConfig(known.result.id, { signal });
  return { address: known.address, answer, known };
}

async function findTake(
  { address, take, request }: KnownTake,
  whole: readonly CreatedItem[],
  subject: Subject,
): Promise<MediumReading[]> {
  const { client, manifest, state, signal } = subject;
  const template = manifest.environment.gaps.mediaPath ?? state.learned.get(LEARNED_MEDIA_PATH);
  const kept = createdItem(request.result, take.requestedAs) ?? {};
  const item = { ...whole.find(({ id }) => isSameId(id, textOf(kept['id']))), ...kept };
  const readings: MediumReading[] = [];
  for (const place of mediaPlaces(createMediaLookup(template), request.result, item)) {
    const answer = await client.getMedia(place.objectId, place.id, { signal });
    const owner = answer.ok ? answer.value.generate_config : undefined;
    // As a run reads it: while the path is not known, an answer must name its media configuration.
    const isFound =
      (owner !== undefined && isSameId(owner, request.result.id)) || (owner === '' && template !== undefined);
    const isKnown = take.seen || take.status === 'done';
    readings.push({ address, answer, template: place.template, isFound, isKnown });
    if (isEnd(answer) || isFound) break;
  }
  return readings;
}

async function readNobody({ client, newId, signal }: Subject): Promise<MediumReading> {
  const answer = await client.getMedia(newId(), newId(), { signal });
  return { answer, isFound: false, isKnown: false };
}
