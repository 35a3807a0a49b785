import { createAnswered, requestFailed } from './request-facts.ts';
import { imageUrls } from './results.ts';
import { stepOf } from './step-io.ts';

/** Creates a concept, or sends all of it: the interface has no partial update of concepts. */
export const conceptStep = stepOf('concept', async ({ payload, id }, context) => {
  const { io, signal } = context;
  const body = {
    name: payload.name,
    description: payload.description ?? null,
    ref_images: imageUrls(payload.ref_images, context).map((url) => ({ url })),
  };
  if (id === undefined) {
    const answer = await io.client.createConcept(body, { signal });
    if (!answer.ok) return requestFailed(answer.error, io);
    return createAnswered({ id: answer.value.id }, 'POST /concepts/', context);
  }
  const answer = await io.client.putConcept(id, body, { signal });
  return answer.ok ? { came: 'result', sent: 'yes', result: { id } } : requestFailed(answer.error, io);
});
