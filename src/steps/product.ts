import type { ProductPayload } from '../model/payload.ts';
import type { Job, Outcome, Step } from '../model/step.ts';
import type { ProductRequest } from '../service/wire.ts';
import { createFailed, repeatableFailed } from './classify-error.ts';
import { imageUrls } from './results.ts';
import type { StepIo } from './step-io.ts';

/** Creates a product, or patches what changed of it. */
export function productStep(io: StepIo): Step {
  return {
    onInterrupted: 'unknown',
    async run(job, signal) {
      if (job.node.kind !== 'product') throw new Error(`not a product: ${job.node.address}`);
      const { payload, id, changed } = job.node;
      const body = productBody(payload, job);
      if (id === undefined) {
        const answer = await io.client.createProduct(body, { signal });
        return answer.ok ? done(answer.value.id, body) : createFailed(answer.error, job, io);
      }
      const patch = patchOf(body, changed ?? []);
      const answer = await io.client.patchProduct(id, patch, { signal });
      return answer.ok ? done(id, body) : repeatableFailed(answer.error, job, io);
    },
  };
}

function productBody(payload: ProductPayload, job: Job): ProductRequest {
  return {
    name: payload.name,
    variant: payload.variant,
    ...(payload.description === undefined ? {} : { description: payload.description }),
    media_urls: imageUrls(payload.images, job).map((url) => ({ type: 'image', url })),
  };
}

/** The changed fields only; a description that is no longer written becomes empty. */
function patchOf(body: ProductRequest, changed: readonly string[]): Partial<ProductRequest> {
  return {
    ...(changed.includes('name') ? { name: body.name } : {}),
    ...(changed.includes('variant') ? { variant: body.variant } : {}),
    ...(changed.includes('description') ? { description: body.description ?? '' } : {}),
    ...(changed.includes('images') ? { media_urls: body.media_urls } : {}),
  };
}

function done(id: string, { media_urls: [first] }: ProductRequest): Outcome {
  return { type: 'done', result: { id, ...(first ? { url: first.url } : {}) } };
}
