import type { ProductPayload } from '../model/payload.ts';
import type { ProductResult } from '../model/result.ts';
import type { Job, Step } from '../model/step.ts';
import type { ProductRequest } from '../service/wire.ts';
import { createAnswered, requestFailed } from './request-facts.ts';
import { storedUrl } from './links.ts';
import { imageUrl, imageUrls } from './results.ts';
import type { StepIo } from './step-io.ts';

export function productStep(io: StepIo): Step {
  return {
    async run(job, signal) {
      if (job.node.kind !== 'product') throw new Error(`not a product: ${job.node.address}`);
      const { payload, id, changed } = job.node;
      if (id === undefined) {
        const answer = await io.client.createProduct(productBody(payload, { job, io }), { signal });
        if (!answer.ok) return requestFailed(answer.error, io);
        return createAnswered(made(answer.value.id, payload, { job, io }), 'POST /products/', { job, io });
      }
      const patch = patchOf(payload, changed, { job, io });
      const answer = await io.client.patchProduct(id, patch, { signal });
      return answer.ok
        ? { came: 'result', sent: 'yes', result: made(id, payload, { job, io }) }
        : requestFailed(answer.error, io);
    },
  };
}

interface Context {
  readonly job: Job;
  readonly io: StepIo;
}

function productBody(payload: ProductPayload, context: Context): ProductRequest {
  return {
    name: payload.name,
    variant: payload.variant,
    ...(payload.description === undefined ? {} : { description: payload.description }),
    media_urls: mediaUrls(payload, context),
  };
}

/** The changed fields, or all if they are not known; a description that is no longer written becomes empty. */
function patchOf(
  payload: ProductPayload,
  changed: readonly string[] | undefined,
  context: Context,
): Partial<ProductRequest> {
  const isSent = (field: string) => changed?.includes(field) ?? true;
  return {
    ...(isSent('name') ? { name: payload.name } : {}),
    ...(isSent('variant') ? { variant: payload.variant } : {}),
    ...(isSent('description') ? { description: payload.description ?? '' } : {}),
    ...(isSent('images') ? { media_urls: mediaUrls(payload, context) } : {}),
  };
}

function mediaUrls({ images }: ProductPayload, context: Context): ProductRequest['media_urls'] {
  return imageUrls(images, context).map((url) => ({ type: 'image', url }));
}

/** The first image is the product's url. A URL from the manifest is stored as it is. */
function made(id: string, { images: [first] }: ProductPayload, { job, io }: Context): ProductResult {
  const url = first && imageUrl(first, { job, io });
  if (url !== undefined) io.links.keep(job.node.address, [url]);
  const isWritten = first !== undefined && 'url' in first;
  return { id, ...(isWritten ? { url: first.url } : storedUrl(url, io.links)) };
}
