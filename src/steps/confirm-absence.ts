import type { RequestResult } from '../model/result.ts';
import type { Job } from '../model/step.ts';
import type { JsonObject } from '../util/json.ts';
import { findMedia, type FoundMedia } from './find-media.ts';
import type { StepIo } from './step-io.ts';

/** The post that is asked for: its item in the answer to its request, and what is needed to ask. */
export interface AskedPost {
  readonly job: Job;
  readonly io: StepIo;
  readonly signal: AbortSignal;
  readonly request: RequestResult;
  readonly item: JsonObject;
}

/** `denied`: the service answers 404 for the post's request, too, so its 404 for the post means nothing. */
export type Confirmed = FoundMedia | { readonly type: 'denied' };

export const DENIED = {
  summary: 'The service says 404 for what it had',
  detail:
    'It says so for other things as well, so no post is given up. Is this the account (API key) and the base URL that made them?',
};

/**
 * Finds out what a 404 means for a post that the service had. If a gateway answers instead of the service, or the key
 * is another account's, everything is 404. The post is absent only if the service has what the post was made with, and
 * then still not the post.
 */
export async function confirmAbsence(asked: AskedPost): Promise<Confirmed> {
  const { request, item, io, signal } = asked;
  const { client, lookup, madeProducts } = io;
  const isThere =
    (await client.getMediaConfig(request.id, { signal })).ok ||
    (madeProducts[0] !== undefined && (await client.getProduct(madeProducts[0], { signal })).ok);
  lookup.isDenying = !isThere;
  return isThere ? findMedia(request, item, { io, signal }) : { type: 'denied' };
}
