import { requestAddress } from '../model/address.ts';
import type { Facts, Failed } from '../model/facts.ts';
import type { Step } from '../model/step.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import { createAnswered, requestFailed } from './request-facts.ts';
import { keptItems } from './kept-item.ts';
import { matchCreatedItems, sentItem } from './match-created-items.ts';
import { productsWithoutUrl, productUrl, requestBody } from './request-body.ts';
import { idOf } from './results.ts';
import type { StepIo } from './step-io.ts';
import { surplusNodes } from './surplus-nodes.ts';

/** Requests posts: the only step that costs money. */
export function mediaConfigStep(io: StepIo): Step {
  const urls = new Map<string, string>();
  return {
    async run(job, signal) {
      if (job.node.kind !== 'media-config') throw new Error(`not a media-config: ${job.node.address}`);
      const { payload } = job.node;
      if (io.form === 'schema') {
        const failed = await findUrls(productsWithoutUrl(payload, { job, io }), { urls, io, signal });
        if (failed) return failed;
      }
      const body = requestBody(payload, { job, io }, { form: io.form, urls });
      const answer = await io.client.createMediaConfig(body, { signal });
      if (!answer.ok) return requestFailed(answer.error, io);
      const concept = answer.value.concept_id ?? idOf(payload.concept, job);
      const sent = payload.items.map((item) =>
        sentItem(item, (product) => {
          const id = idOf(product, job);
          return { id, url: productUrl(product, { job, io }) ?? urls.get(id) };
        }),
      );
      const created = matchCreatedItems(sent, answer.value.items, payload.nextItem);
      const items = keptItems(created, { payload, template: io.lookup.template });
      const { surplus } = created;
      const result = { id: answer.value.id, concept, items, ...(surplus.length ? { surplus } : {}) };
      const made: Facts = createAnswered(result, 'POST /media-config/', { job, io });
      if (made.came !== 'result' || surplus.length === 0) return made;
      const { post, n } = payload;
      const take = { action: 'create', post, take: n, request: requestAddress(post, n) } as const;
      return { ...made, adds: surplusNodes({ items, surplus }, take, io.outputs) };
    },
  };
}

interface UrlSearch {
  readonly urls: Map<string, string>;
  readonly io: StepIo;
  readonly signal: AbortSignal;
}

/** Reads the first image of products that are known by their id only; nothing that costs has been sent yet. */
async function findUrls(ids: readonly string[], search: UrlSearch): Promise<Failed | undefined> {
  const { urls, io, signal } = search;
  for (const id of ids) {
    if (urls.has(id)) continue;
    const answer = await io.client.getProduct(id, { signal });
    if (!answer.ok) return { ...requestFailed(answer.error, io), sent: 'no' };
    const [url] = readMediaUrls(answer.value.media_urls);
    if (url !== undefined) urls.set(id, url);
  }
  return undefined;
}
