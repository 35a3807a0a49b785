import { requestAddress } from '../model/address.ts';
import { outputPath } from '../model/output-path.ts';
import type { RequestPayload } from '../model/payload.ts';
import { postTypeOf } from '../model/post-type.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { RequestResult } from '../model/result.ts';
import type { Facts, Failed } from '../model/facts.ts';
import type { Step } from '../model/step.ts';
import { takeNodes } from '../model/take-nodes.ts';
import { readMediaUrls } from '../service/read-media-urls.ts';
import { createAnswered, requestFailed } from './request-facts.ts';
import { keptItems } from './kept-item.ts';
import { matchCreatedItems, sentItem } from './match-created-items.ts';
import { productsWithoutUrl, productUrl, requestBody } from './request-body.ts';
import { idOf } from './results.ts';
import type { StepIo } from './step-io.ts';

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
      return { ...made, adds: surplus.flatMap((name) => surplusNodes(name, items, { payload, io })) };
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

/** Surplus posts were paid for, too: they are polled and downloaded. */
function surplusNodes(
  item: string,
  items: RequestResult['items'],
  { payload: { post, n }, io: { outputs } }: { payload: RequestPayload; io: StepIo },
): PlannedNode[] {
  const postType = postTypeOf(items[item]?.['post_type']);
  return takeNodes({
    action: 'create',
    reasons: [{ summary: 'made by the service beyond what was asked' }],
    take: { post, item, take: n, request: requestAddress(post, n), requestedAs: item },
    poll: { seen: false },
    download: outputs && { path: outputPath(outputs, { post, item, postType, take: n }), older: [] },
  });
}
