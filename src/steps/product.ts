import type { ProductPayload } from '../model/payload.ts';
import type { ProductResult } from '../model/result.ts';
import type { ProductRecord, ProductRequest } from '../service/wire.ts';
import { storedUrl } from './links.ts';
import { toldOf } from './product-told.ts';
import { createAnswered, requestFailed } from './request-facts.ts';
import { imageUrl, imageUrls } from './results.ts';
import { type StepContext, stepOf } from './step-io.ts';

export const productStep = stepOf('product', async ({ payload, id, changed }, context) => {
  const { io, signal } = context;
  if (id === undefined) {
    const answer = await io.client.createProduct(productBody(payload, context), { signal });
    if (!answer.ok) return requestFailed(answer.error, io);
    return createAnswered(made(answer.value, payload, context), 'POST /products/', context);
  }
  // Where nobody knows what it is like at present, all of it is said.
  const answer = changed
    ? await io.client.patchProduct(id, patchOf(payload, changed, context), { signal })
    : await io.client.putProduct(id, { description: '', ...productBody(payload, context) }, { signal });
  return answer.ok
    ? { came: 'result', sent: 'yes', result: made({ ...answer.value, id }, payload, context) }
    : requestFailed(answer.error, io);
});

function productBody(payload: ProductPayload, context: StepContext): ProductRequest {
  return {
    name: payload.name,
    variant: payload.variant,
    ...(payload.description === undefined ? {} : { description: payload.description }),
    media_urls: mediaUrls(payload, context),
  };
}

/** The changed fields; a description that is no longer written becomes empty. */
function patchOf(
  payload: ProductPayload,
  changed: readonly string[],
  context: StepContext,
): Partial<ProductRequest> {
  return {
    ...(changed.includes('name') ? { name: payload.name } : {}),
    ...(changed.includes('variant') ? { variant: payload.variant } : {}),
    ...(changed.includes('description') ? { description: payload.description ?? '' } : {}),
    ...(changed.includes('images') ? { media_urls: mediaUrls(payload, context) } : {}),
  };
}

function mediaUrls({ images }: ProductPayload, context: StepContext): ProductRequest['media_urls'] {
  return imageUrls(images, context).map((url) => ({ type: 'image', url }));
}

/** The first image is the product's url. A URL from the manifest is stored as it is. */
function made(
  { id, ...said }: ProductRecord,
  { images: [first], name, description = '', variant, recordName }: ProductPayload,
  context: StepContext,
): ProductResult {
  const { job, io } = context;
  const url = first && imageUrl(first, context);
  if (url !== undefined) io.links.keep(job.node.address, [url]);
  const isWritten = first !== undefined && 'url' in first;
  const link = isWritten ? { url: first.url } : storedUrl(url, io.links);
  const told = toldOf(said, { name, description, variant }, io.links.plain);
  return { id, ...link, ...(recordName ? { name } : {}), ...(told && { told }) };
}
