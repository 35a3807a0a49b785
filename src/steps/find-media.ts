/** Asks for one item's medium at the known path, or at all candidates. */
import type { Problem } from '../model/problem.ts';
import type { Learned, RequestResult } from '../model/result.ts';
import { MEDIA_PATHS } from '../service/media-path.ts';
import { isSameId } from '../service/read-id.ts';
import type { MediaConfigAnswer } from '../service/read-media-config.ts';
import type { MediaAnswer } from '../service/read-records.ts';
import { isRefused, type ServiceError } from '../service/service-error.ts';
import type { JsonObject } from '../util/json.ts';
import { ok, type Result } from '../util/result.ts';
import { LEARNED_MEDIA_PATH, mediaPlaces } from './media-lookup.ts';
import type { StepContext } from './step-io.ts';

/** How long others wait while one medium tries the paths. */
export const PROBE_WAIT_MS = 250;

/** What a post is asked for with. */
export interface PostPlace {
  readonly request: RequestResult;
  readonly item: JsonObject;
  readonly io: Pick<StepContext['io'], 'client' | 'lookup'>;
  readonly signal: AbortSignal | undefined;
}

export interface AskedPost extends StepContext {
  readonly request: RequestResult;
  readonly item: JsonObject;
}

export type FoundMedia =
  /** `learned`: the path that this answer showed. */
  | { readonly type: 'found'; readonly media: MediaAnswer; readonly learned?: Learned }
  /**
   * 404 (or 410) everywhere, or another configuration's medium: not there yet. `refusal`: a path that was a guess was
   * refused in another way. `stray`: a path that was a guess gave a post that cannot be recognised as this one.
   */
  | { readonly type: 'absent'; readonly refusal?: ServiceError; readonly stray?: StrayMedia }
  /** Another medium is trying the paths right now. */
  | { readonly type: 'busy' }
  | { readonly type: 'error'; readonly error: ServiceError };

/** An answer at a guessed path that does not name the media configuration that was asked about. */
export interface StrayMedia {
  readonly template: string;
  /** The configuration that it names, if any. */
  readonly owner: string | undefined;
  readonly status: string;
}

export async function findMedia(asked: PostPlace): Promise<FoundMedia> {
  const { lookup } = asked.io;
  const read = await wholeItem(asked);
  if (!read.ok) return { type: 'error', error: read.error };
  if (lookup.template !== undefined) return askPlaces({ ...asked, item: read.value });
  if (lookup.isProbing) return { type: 'busy' };
  lookup.isProbing = true;
  try {
    return await askPlaces({ ...asked, item: read.value });
  } finally {
    lookup.isProbing = false;
  }
}

async function askPlaces({ request, item, io, signal }: PostPlace): Promise<FoundMedia> {
  const { lookup, client } = io;
  const probes = lookup.template === undefined;
  let refusal: ServiceError | undefined;
  let stray: StrayMedia | undefined;
  for (const { template, objectId, id } of mediaPlaces(lookup, request, item)) {
    const answer = await client.getMedia(objectId, id, { signal });
    if (!answer.ok) {
      const { error } = answer;
      if (error.status === 404 || error.status === 410) continue;
      // While the path is a guess, a wrong one may be answered with any refusal.
      if (probes && isRefused(error)) {
        refusal = error;
        continue;
      }
      // In an outage the other paths fail as well, so only one is asked. The next probe begins with the one after it,
      // in case the path is the cause.
      lookup.first = (MEDIA_PATHS.findIndex((path) => path === template) + 1) % MEDIA_PATHS.length;
      return { type: 'error', error };
    }
    const media = answer.value;
    const owner = media.generate_config;
    if (!isSameId(owner, request.id) && (probes || owner !== '')) {
      // A medium that names no configuration may be the right one; one that names another is not.
      if (stray === undefined || stray.owner !== undefined)
        stray = { template, owner: owner === '' ? undefined : owner, status: media.status };
      continue;
    }
    lookup.isDenying = false;
    lookup.template = template;
    return {
      type: 'found',
      media,
      ...(probes && { learned: { name: LEARNED_MEDIA_PATH, value: template } }),
    };
  }
  return { type: 'absent', ...(refusal && { refusal }), ...(stray && { stray }) };
}

/** The item with the fields that the path names; fields that the state does not keep are read from the service. */
async function wholeItem({
  request,
  item: kept,
  io,
  signal,
}: PostPlace): Promise<Result<JsonObject, ServiceError>> {
  const { lookup, client } = io;
  const fits = (item: JsonObject) => mediaPlaces(lookup, request, item).length > 0;
  if (kept['id'] === undefined || fits(kept)) return ok(kept);
  const known = itemOf(lookup.configs.get(request.id), kept);
  if (known && fits(known)) return ok(known);
  const answer = await client.getMediaConfig(request.id, { signal });
  // If the configuration is not there, or lists no more, the item is not there yet.
  if (!answer.ok) return answer.error.status === 404 ? ok(kept) : answer;
  lookup.configs.set(request.id, answer.value);
  return ok(itemOf(answer.value, kept) ?? kept);
}

function itemOf(config: MediaConfigAnswer | undefined, { id }: JsonObject): JsonObject | undefined {
  return config?.items.find((item) => typeof id === 'string' && isSameId(item.id, id));
}

/** Why a stray post is not taken for the one that was asked for, and what to do if it is the post. */
export function strayWords({ template, owner }: StrayMedia): string {
  if (owner !== undefined)
    return `At ${template} the service gives a post of another media configuration (${owner}): if this one should be there, set service.media_path.`;
  return (
    `At ${template} the service gives a post, but its generate_config names no media configuration, so it may be ` +
    `another one. If it is this one, set service.media_path: "${template}".`
  );
}

/** For a post that the service had before: another post at its path does not say that it is gone. */
export function strayProblem(stray: StrayMedia): Problem {
  return { summary: 'The service gives something else in its place', detail: strayWords(stray) };
}
