import type { Facts } from '../model/facts.ts';
import type { MediaPayload } from '../model/payload.ts';
import type { Recheck } from '../model/plan.ts';
import { isSameId } from '../service/read-id.ts';
import { isRefused } from '../service/service-error.ts';
import { textOf } from '../util/json.ts';
import type { AskedPost } from './find-media.ts';
import { keptItems } from './kept-item.ts';
import { matchCreatedItems } from './match-created-items.ts';
import type { Memo } from './poll.ts';
import { AS_IT_WAS } from './recheck.ts';
import { requestFailed, takenWords, unclear } from './request-facts.ts';
import { surplusNodes } from './surplus-nodes.ts';

/**
 * Looks for a post whose item the answer to its request did not have, because a service may list items later. New items
 * in the list are matched as those of an answer are, and the post is polled from then on.
 */
export async function lookForItem(
  { post, take, request: address, requestedAs }: MediaPayload,
  { again, request, io, signal }: Omit<AskedPost, 'item'> & { readonly again: Recheck },
): Promise<Facts> {
  const answer = await io.client.getMediaConfig(request.id, { signal });
  const isPaying = again.before === 'paying';
  if (!answer.ok) return isRefused(answer.error) && !isPaying ? AS_IT_WAS : requestFailed(answer.error, io);
  if (!isSameId(answer.value.id, request.id)) return unclear(ANOTHER);
  const known = Object.values(request.items).map(({ id }) => textOf(id));
  const added = answer.value.items.filter(({ id }) => !known.some((each) => isSameId(id, each)));
  const { payload, sent, nextItem } = io.requested(address);
  const missing = sent.filter(({ name }) => !Object.hasOwn(request.items, name));
  const created = matchCreatedItems(missing, added, nextItem);
  if (!Object.hasOwn(created.items, requestedAs))
    return added.length && isPaying ? unclear(listedByNow(request.id)) : AS_IT_WAS;
  const items = keptItems(created, { payload, template: io.lookup.template });
  const taken = io.names.claim(address, { ...request, items });
  if (taken) return unclear({ summary: ANOTHER.summary, detail: takenWords(taken) });
  const listed = { id: request.id, concept: request.concept, items, surplus: created.surplus };
  const memo: Memo = { polls: 0, seen: false, found: true };
  const adds = surplusNodes(listed, { action: 'resume', post, take, request: address }, io.outputs);
  return { came: 'pending', sent: 'yes', waitMs: 0, memo, listed, ...(adds.length ? { adds } : {}) };
}

const ANOTHER = {
  summary: 'The answer of the service cannot be used',
  detail: 'It is about another media configuration than the one that was asked for',
};

function listedByNow(id: string) {
  return {
    summary: 'The service lists more posts by now',
    detail:
      `GET /media-config/${id}/ has an item that the answer to the request did not have, so the post may have been ` +
      'made. If it has not, `campaign state rm` forgets this one, and the next run requests another',
  };
}
