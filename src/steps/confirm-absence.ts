import { type AskedPost, findMedia, type FoundMedia } from './find-media.ts';

/** `denied`: the service answers 404 for the post's request, too, so its 404 for the post means nothing. */
export type Confirmed = FoundMedia | { readonly type: 'denied' };

export const DENIED = {
  summary: 'The service says 404 for what it had',
  detail:
    'It says so for other things as well, so no post is given up. Is this the account (API key) and the base URL that made them?',
};

export async function findSurely(asked: AskedPost): Promise<Confirmed> {
  const found = await findMedia(asked);
  return found.type === 'absent' && !found.refusal && !found.stray ? confirmAbsence(asked) : found;
}

/**
 * Finds out what a 404 means for a post that the service had. If a gateway answers instead of the service, or the key
 * is another account's, everything is 404. The post is absent only if the service has what the post was made with, and
 * then still not the post.
 */
export async function confirmAbsence(asked: AskedPost): Promise<Confirmed> {
  const { client, lookup, madeProducts } = asked.io;
  const { signal } = asked;
  const isThere =
    (await client.getMediaConfig(asked.request.id, { signal })).ok ||
    (madeProducts[0] !== undefined && (await client.getProduct(madeProducts[0], { signal })).ok);
  lookup.isDenying = !isThere;
  return isThere ? findMedia(asked) : { type: 'denied' };
}
