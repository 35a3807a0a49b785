import type { Steps } from '../model/step.ts';
import { conceptStep } from './concept.ts';
import { downloadStep } from './download.ts';
import { mediaConfigStep } from './media-config.ts';
import { mediaStep } from './media.ts';
import { productStep } from './product.ts';
import type { StepIo } from './step-io.ts';
import { uploadStep } from './upload.ts';

export function createSteps(io: StepIo): Steps {
  return {
    upload: uploadStep(io),
    product: productStep(io),
    concept: conceptStep(io),
    'media-config': mediaConfigStep(io),
    media: mediaStep(io),
    download: downloadStep(io),
  };
}
