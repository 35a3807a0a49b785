import { requestAddress } from '../model/address.ts';
import type { Facts, Failed } from '../model/facts.ts';
import type { RequestPayload } from '../model/payload.ts';
import type { Step } from '../model/step.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import { keptItems } from './kept-item.ts';
import { matchCreatedItems, sentItem } from './match-created-items.ts';
import { productsWithoutUrl, productUrl, requestBody } from './request-body.ts';
import { createAnswered, requestFailed } from './request-facts.ts';
import { idOf } from './results.ts';
import { type StepContext, type StepIo, stepOf } from './step-io.ts';
import { surplusNodes } from './surplus-nodes.ts';

/** First images of products, by id, that were read from the service. */
type ProductUrls = Map<string, string>;

/** Requests posts: the only step that costs money. */
export function mediaConfigStep(io: StepIo): Step {
  const urls: ProductUrls = new Map();
  return stepOf('media-config', ({ payload }, context) => requestPosts(payload, urls, context))(io);
}

async function requestPosts(
  payload: RequestPayload,
  urls: ProductUrls,
  context: StepContext,
): Promise<Facts> {
  const { job, io, signal } = context;
  const failed = io.form === 'schema' && (await findUrls(payload, urls, context));
  if (failed) return failed;
  const body = requestBody(payload, context, { form: io.form, urls });
  const answer = await io.client.createMediaConfig(body, { signal });
  if (!answer.ok) return requestFailed(answer.error, io);
  const concept = answer.value.concept_id ?? idOf(payload.concept, job);
  const sent = payload.items.map((item) =>
    sentItem(item, (product) => {
      const id = idOf(product, job);
      return { id, url: productUrl(product, context) ?? urls.get(id) };
    }),
  );
  const created = matchCreatedItems(sent, answer.value.items, payload.nextItem);
  const items = keptItems(created, { payload, template: io.lookup.template });
  const { surplus } = created;
  const result = { id: answer.value.id, concept, items, ...(surplus.length ? { surplus } : {}) };
  const made = createAnswered(result, 'POST /media-config/', context);
  if (made.came !== 'result' || surplus.length === 0) return made;
  const { post, n } = payload;
  const take = { action: 'create', post, take: n, request: requestAddress(post, n) } as const;
  return { ...made, adds: surplusNodes({ items, surplus }, take, io.outputs) };
}

/** Reads the first image of products that are known by their id only; nothing that costs has been sent yet. */
async function findUrls(
  payload: RequestPayload,
  urls: ProductUrls,
  context: StepContext,
): Promise<Failed | undefined> {
  const { io, signal } = context;
  for (const id of productsWithoutUrl(payload, context)) {
    if (urls.has(id)) continue;
    const answer = await io.client.getProduct(id, { signal });
    if (!answer.ok) return { ...requestFailed(answer.error, io), sent: 'no' };
    const [url] = readMediaUrls(answer.value.media_urls, answer.value);
    if (url !== undefined) urls.set(id, url);
  }
  return undefined;
}
