/** Asks the service about an id that a person names: only an object that can be the node is accepted. */
import { productKey } from '../model/address.ts';
import { EXIT } from '../model/exit.ts';
import type { RequestPayload } from '../model/payload.ts';
import type { ConceptResult, ProductResult, RequestResult } from '../model/result.ts';
import type { ObjectState, RequestState, RunState } from '../model/run-state.ts';
import type { Client } from '../service/client.ts';
import type { MediaConfigAnswer } from '../service/read-media-config.ts';
import { isSameId } from '../service/read-id.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import { keptItems } from '../steps/kept-item.ts';
import { createLinks, storedUrl } from '../steps/links.ts';
import { matchCreatedItems } from '../steps/match-created-items.ts';
import { requestedBy } from '../steps/known-requests.ts';
import { inertText } from '../util/inert-text.ts';
import { textOf } from '../util/json.ts';
import { err, ok, type Result } from '../util/result.ts';
import { usableApiKey } from './api-key.ts';
import { emulatorDataGone } from './emulator-data.ts';
import type { Campaign } from './campaign.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { Runtime } from './runtime.ts';

/** What is recorded, and whether the service has confirmed it: only products and requests can be read back. */
export async function lookUp(
  runtime: Runtime,
  campaign: Campaign,
  { id, address, state, verify }: { id: string; address: string; state: RunState; verify: boolean },
): Promise<Result<{ result: ProductResult | ConceptResult | RequestResult; isSeen: boolean }, Refusal>> {
  const request = state.requests.get(address);
  if (!verify && request) return err(needsService(address));
  if (!verify || (!request && productKey(address) === undefined))
    return ok({ result: { id }, isSeen: false });
  const gone = await emulatorDataGone(campaign, state);
  if (gone) return err(gone);
  const { environment, limits } = campaign.manifest;
  const apiKey = await usableApiKey(runtime, environment);
  if (!apiKey.ok) return apiKey;
  const connection = await runtime.connect(environment, {
    apiKey: apiKey.value,
    emulatorData: campaign.emulatorData,
    concurrency: limits.total,
  });
  try {
    const result = request
      ? await readRequest(id, { request, state, template: environment.gaps.mediaPath }, connection.client)
      : await readProduct(id, state.objects.get(address), connection.client);
    return result.ok ? ok({ result: result.value, isSeen: true }) : result;
  } finally {
    await connection.close();
  }
}

async function readProduct(
  id: string,
  product: ObjectState | undefined,
  client: Client,
): Promise<Result<ProductResult, Refusal>> {
  const answer = await client.getProduct(id);
  if (!answer.ok) return err(notFound(id, answer.error.problem.detail));
  const { id: its, name, media_urls: urls } = answer.value;
  if (!isSameId(its, id)) return err(notFound(id, `the answer is about ${its}`));
  const sent = nameOf(product);
  if (name && sent && name !== sent)
    return err(notFound(id, `it is the product "${inertText(name, 80)}", and "${sent}" was sent`));
  const [url] = readMediaUrls(urls);
  return ok({ id, ...storedUrl(url, createLinks(client.redact)) });
}

function nameOf(product: ObjectState | undefined): string {
  return textOf(product?.inputs['name']) || (productKey(product?.address ?? '') ?? '');
}

async function readRequest(
  id: string,
  { request, state, template }: { request: RequestState; state: RunState; template: string | undefined },
  client: Client,
): Promise<Result<RequestResult, Refusal>> {
  const { payload } = request;
  const answer = await client.getMediaConfig(id);
  if (!answer.ok) return err(notFound(id, answer.error.problem.detail));
  const its = answer.value.id;
  if (!isSameId(its, id)) return err(notFound(id, `the answer is about ${its}`));
  const unlike = whyUnlike(answer.value, { payload, state });
  if (unlike !== undefined) return err(notFound(id, unlike));
  const { sent, nextItem } = requestedBy(payload, state);
  const created = matchCreatedItems(sent, answer.value.items, nextItem);
  const items = keptItems(created, { payload, template });
  const { surplus } = created;
  const concept = answer.value.concept_id ?? conceptId(payload, state);
  return ok({ id, concept, items, ...(surplus.length ? { surplus } : {}) });
}

function whyUnlike(
  answer: MediaConfigAnswer,
  { payload, state }: { payload: RequestPayload; state: RunState },
): string | undefined {
  const concept = conceptId(payload, state);
  if (answer.concept_id !== undefined && concept !== '' && !isSameId(answer.concept_id, concept)) {
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

function conceptId({ concept }: RequestPayload, state: RunState): string {
  if ('id' in concept) return concept.id;
  const result = state.objects.get(concept.address)?.result;
  return result && 'id' in result ? result.id : '';
}

function notFound(id: string, detail: string): Refusal {
  const summary = 'The service does not confirm the id';
  return refusal(EXIT.failed, {
    code: 'id-not-found',
    summary,
    detail: `${id}: ${detail}. Nothing was recorded.`,
  });
}

function needsService(address: string): Refusal {
  const detail = `${address} has posts, and they are found by ids that the service gave them: leave out --no-verify.`;
  return refusal(EXIT.usage, { code: 'needs-service', summary: 'Only the service can say this', detail });
}
