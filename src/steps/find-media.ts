import type { RequestResult } from '../model/result.ts';
import type { MediaConfigAnswer } from '../service/read-media-config.ts';
import { isSameId } from '../service/read-id.ts';
import { isRefused, type ServiceError } from '../service/service-error.ts';
import type { MediaAnswer } from '../service/read-records.ts';
import type { JsonObject } from '../util/json.ts';
import { ok, type Result } from '../util/result.ts';
import { MEDIA_PATHS } from '../service/media-path.ts';
import { LEARNED_MEDIA_PATH, mediaPlaces } from './media-lookup.ts';
import type { StepIo } from './step-io.ts';
import type { StrayMedia } from './stray-media.ts';

/** How long others wait while one medium tries the paths. */
export const PROBE_WAIT_MS = 250;

export type FoundMedia =
  /** `template` where this answer showed the path. */
  | { readonly type: 'found'; readonly media: MediaAnswer; readonly template?: string }
  /**
   * 404 (or 410) everywhere, or another configuration's medium: not there yet. `refusal`: a path that was a guess was
   * refused in another way. `stray`: a path that was a guess gave a post that cannot be recognised as this one.
   */
  | { readonly type: 'absent'; readonly refusal?: ServiceError; readonly stray?: StrayMedia }
  /** Another medium is trying the paths right now. */
  | { readonly type: 'busy' }
  | { readonly type: 'error'; readonly error: ServiceError };

/** Asks for one item's medium at the known path, or at all candidates. */
export async function findMedia(
  request: RequestResult,
  kept: JsonObject,
  { io, signal }: { io: StepIo; signal: AbortSignal },
): Promise<FoundMedia> {
  const { lookup, client } = io;
  const read = await wholeItem(request, kept, { io, signal });
  if (!read.ok) return { type: 'error', error: read.error };
  const item = read.value;
  const probes = lookup.template === undefined;
  if (probes && lookup.isProbing) return { type: 'busy' };
  if (probes) lookup.isProbing = true;
  let refusal: ServiceError | undefined;
  let stray: StrayMedia | undefined;
  try {
    for (const { template, objectId, id } of mediaPlaces(lookup, request, item)) {
      const answer = await client.getMedia(objectId, id, { signal });
      if (!answer.ok) {
        // While the path is a guess, a wrong one may be answered with any refusal.
        if (isAbsent(answer.error)) continue;
        if (probes && isRefused(answer.error)) {
          refusal = answer.error;
          continue;
        }
        // In an outage the other paths fail as well, so only one is asked. The next probe begins with the one after it,
        // in case the path is the cause.
        lookup.first = (MEDIA_PATHS.findIndex((path) => path === template) + 1) % MEDIA_PATHS.length;
        return { type: 'error', error: answer.error };
      }
      const owner = answer.value.generate_config;
      if (!isSameId(owner, request.id) && (probes || owner !== '')) {
        // A medium that names no configuration may be the right one; one that names another is not.
        if (stray === undefined || stray.owner !== undefined)
          stray = { template, owner: owner === '' ? undefined : owner, status: answer.value.status };
        continue;
      }
      lookup.isDenying = false;
      if (!probes) return { type: 'found', media: answer.value };
      lookup.template = template;
      return { type: 'found', media: answer.value, template };
    }
    return { type: 'absent', ...(refusal ? { refusal } : {}), ...(stray ? { stray } : {}) };
  } finally {
    if (probes) lookup.isProbing = false;
  }
}

/** The item with the fields that the path names; fields that the state does not keep are read from the service. */
async function wholeItem(
  request: RequestResult,
  kept: JsonObject,
  { io, signal }: { io: StepIo; signal: AbortSignal },
): Promise<Result<JsonObject, ServiceError>> {
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

/** The path that an answer showed, as an outcome has it. */
export function learnedFrom({ template }: FoundMedia & { readonly type: 'found' }) {
  return template === undefined ? {} : { learned: { name: LEARNED_MEDIA_PATH, value: template } };
}

function isAbsent({ status }: ServiceError): boolean {
  return status === 404 || status === 410;
}
