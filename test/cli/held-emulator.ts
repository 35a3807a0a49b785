import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startEmulator } from '../../src/emulator/emulator.ts';
import { realClock } from '../../src/util/clock.ts';
import { API_KEY, untilTestEnds } from './small-campaign.ts';

/** An emulator in this process, whose books say what was made. */
export async function emulatorOf(generationMs = 0) {
  const dataDir = await mkdtemp(join(tmpdir(), 'campaign-emulator-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const behaviour = {
    apiKey: API_KEY,
    generationMs: { image: generationMs, carousel: generationMs, video: generationMs },
  };
  return untilTestEnds(startEmulator({ dataDir, clock: realClock, random: Math.random, behaviour }));
}
