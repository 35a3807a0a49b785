/** Reads what has an id at the service: only an object that can be the node is accepted. Concepts cannot be read. */
import type { Address } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { RequestPayload } from '../model/payload.ts';
import type { ProductResult, RequestResult } from '../model/result.ts';
import type { RequestState, RunState } from '../model/run-state.ts';
import type { Client } from '../service/client.ts';
import { isSameId } from '../service/read-id.ts';
import type { MediaConfigAnswer } from '../service/read-media-config.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import { keptItems } from '../steps/kept-item.ts';
import { requestedBy } from '../steps/known-requests.ts';
import { createLinks, storedUrl } from '../steps/links.ts';
import { matchCreatedItems } from '../steps/match-created-items.ts';
import { inertText } from '../util/inert-text.ts';
import { textOf } from '../util/json.ts';
import { err, ok, type Result } from '../util/result.ts';
import { conceptIdOf, sentName } from '../views/look-for.ts';

export type Reader = Pick<Client, 'getProduct' | 'getMediaConfig' | 'redact'>;

export interface Confirming {
  readonly address: Address;
  readonly graph: Graph;
  readonly state: RunState;
  /** How media are found, where that is known: the fields of items that it names are kept. */
  readonly template: string | undefined;
}

/** What the state records of it; the error says why it cannot be the node. */
export function confirmId(
  id: string,
  confirming: Confirming,
  client: Reader,
): Promise<Result<ProductResult | RequestResult, string>> {
  const request = confirming.state.requests.get(confirming.address);
  return request ? readRequest(id, { ...confirming, request }, client) : readProduct(id, confirming, client);
}

async function readProduct(
  id: string,
  { address, ...known }: Confirming,
  client: Reader,
): Promise<Result<ProductResult, string>> {
  const answer = await client.getProduct(id);
  if (!answer.ok) return err(answer.error.problem.detail);
  const { id: its, name, media_urls: urls, askedAt } = answer.value;
  if (!isSameId(its, id)) return err(`the answer is about ${its}`);
  const sent = sentName(address, known);
  if (name && sent && name !== sent)
    return err(`it is the product "${inertText(name, 80)}", and "${inertText(sent, 80)}" was sent`);
  const [url] = readMediaUrls(urls, { askedAt });
  return ok({ id, ...storedUrl(url, createLinks(client.redact)) });
}

async function readRequest(
  id: string,
  { request, state, template }: Confirming & { readonly request: RequestState },
  client: Reader,
): Promise<Result<RequestResult, string>> {
  const { payload } = request;
  const answer = await client.getMediaConfig(id);
  if (!answer.ok) return err(answer.error.problem.detail);
  const its = answer.value.id;
  if (!isSameId(its, id)) return err(`the answer is about ${its}`);
  const unlike = whyUnlike(answer.value, { payload, state });
  if (unlike !== undefined) return err(unlike);
  const { sent, nextItem } = requestedBy(payload, state);
  const created = matchCreatedItems(sent, answer.value.items, nextItem);
  const items = keptItems(created, { payload, template });
  const { surplus } = created;
  const concept = answer.value.concept_id ?? conceptIdOf(payload.concept, state) ?? '';
  return ok({ id, concept, items, ...(surplus.length ? { surplus } : {}) });
}

function whyUnlike(
  answer: MediaConfigAnswer,
  { payload, state }: { payload: RequestPayload; state: RunState },
): string | undefined {
  const concept = conceptIdOf(payload.concept, state);
  if (answer.concept_id !== undefined && concept !== undefined && !isSameId(answer.concept_id, concept)) {
    return `it belongs to the concept ${answer.concept_id}, and this request to ${concept}`;
  }
  const asked = payload.items.map(({ payload: { post_type: type } }): string => type);
  const made = answer.items.map(({ post_type: type }) => textOf(type));
  // In any order, and there may be more than were asked for.
  const numberOf = (types: string[], type: string) => types.filter((each) => each === type).length;
  const isMade = asked.every((type) => numberOf(made, type) >= numberOf(asked, type));
  if (isMade) return undefined;
  return `it holds ${made.sort().join(', ') || 'nothing'}, and this request asked for ${asked.sort().join(', ')}`;
}
