/** A second fault while the first one is being recovered from: in a repair, an import, a compaction, a decision. */
import { it, vi } from 'vitest';
import { sweep } from './dimension.ts';
import { doubleFaults, surveyStory } from './points.ts';

vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({ tryLock: (await import('../support/crash-fs.ts')).tryLock }));

const { operations } = await surveyStory();

it('a second fault during the recovery from a first (scenario 8)', { timeout: 900_000 }, () =>
  sweep('a second fault during the recovery from a first (scenario 8)', doubleFaults(operations)),
);
