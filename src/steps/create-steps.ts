import type { Steps } from '../model/step.ts';
import { conceptStep } from './concept.ts';
import { withDeletions } from './delete.ts';
import { downloadStep } from './download.ts';
import { mediaConfigStep } from './media-config.ts';
import { mediaStep } from './media.ts';
import { productStep } from './product.ts';
import type { StepIo } from './step-io.ts';
import { uploadStep } from './upload.ts';

export function createSteps(io: StepIo): Steps {
  const steps = {
    upload: uploadStep(io),
    product: productStep(io),
    concept: conceptStep(io),
    'media-config': mediaConfigStep(io),
    media: mediaStep(io),
    download: downloadStep(io),
  };
  return io.witnesses ? withDeletions(steps, io, io.witnesses) : steps;
}
