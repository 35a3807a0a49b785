/**
 * How generated media are found is a gap of the interface. The manifest says it, or the state has learned it, or it is
 * found out by trying. While it is tried, only one medium probes at a time, so that a hundred posts do not ask three
 * times each.
 */
import { fillMediaPath, MEDIA_PATHS } from '../service/media-path.ts';
import type { RequestResult } from '../model/result.ts';
import type { MediaConfigAnswer } from '../service/read-media-config.ts';
import { isJsonObject, type JsonObject } from '../util/json.ts';

export interface MediaLookup {
  template: string | undefined;
  isProbing: boolean;
  /** Media configurations that were read for fields of their items, by id. */
  readonly configs: Map<string, MediaConfigAnswer>;
  /** The service answered 404 for something that it had, and has not shown since that it is well. */
  isDenying: boolean;
  /** The candidate for the next probe: the one after that which failed. */
  first: number;
}

export const LEARNED_MEDIA_PATH = 'media_path';

/** `template` is the manifest's, else what an earlier run learned. */
export function createMediaLookup(template: string | undefined): MediaLookup {
  return { template, isProbing: false, isDenying: false, configs: new Map(), first: 0 };
}

export function mediaPlaces(
  lookup: MediaLookup,
  request: RequestResult,
  item: JsonObject,
): { template: string; objectId: string; id: string }[] {
  const templates = lookup.template === undefined ? candidatesFrom(lookup.first) : [lookup.template];
  const config: JsonObject = { id: request.id };
  const concept: JsonObject = { id: request.concept };
  return templates.flatMap((template) => {
    const ids = fillMediaPath(template, { config, item: isJsonObject(item) ? item : {}, concept });
    return ids ? [{ template, objectId: ids[0], id: ids[1] }] : [];
  });
}

function candidatesFrom(first: number): string[] {
  return [...MEDIA_PATHS.slice(first), ...MEDIA_PATHS.slice(0, first)];
}
