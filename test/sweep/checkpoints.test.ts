/** A state that does not go on from the committed one, between any two runs, with and without `.campaign/`. */
import { it, vi } from 'vitest';
import { checkpoints } from './checkpoints.ts';
import { sweep } from './dimension.ts';
import { surveyStory } from './points.ts';

vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({
  tryLock: (await import('../support/crash-fs.ts')).tryLock,
}));

const { operations } = await surveyStory();

it(
  'another state than the committed one, after a kill at each operation (scenario 7)',
  { timeout: 900_000 },
  () =>
    sweep(
      'another state than the committed one, after a kill at each operation (scenario 7)',
      checkpoints(operations),
    ),
);
