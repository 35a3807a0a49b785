import type { Step } from '../model/step.ts';
import { createAnswered, requestFailed } from './request-facts.ts';
import { imageUrls } from './results.ts';
import type { StepIo } from './step-io.ts';

/** Creates a concept, or sends all of it: the interface has no partial update of concepts. */
export function conceptStep(io: StepIo): Step {
  return {
    async run(job, signal) {
      if (job.node.kind !== 'concept') throw new Error(`not a concept: ${job.node.address}`);
      const { payload, id } = job.node;
      const body = {
        name: payload.name,
        description: payload.description ?? null,
        ref_images: imageUrls(payload.ref_images, { job, io }).map((url) => ({ url })),
      };
      if (id === undefined) {
        const answer = await io.client.createConcept(body, { signal });
        if (!answer.ok) return requestFailed(answer.error, io);
        return createAnswered({ id: answer.value.id }, 'POST /concepts/', { job, io });
      }
      const answer = await io.client.putConcept(id, body, { signal });
      return answer.ok ? { came: 'result', sent: 'yes', result: { id } } : requestFailed(answer.error, io);
    },
  };
}
