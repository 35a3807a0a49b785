import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Behaviour, type Emulator, startEmulator } from '../../src/emulator/emulator.ts';
import { type Clock, realClock } from '../../src/util/clock.ts';

/** An emulator of its own; gone when the test ends. */
export async function openService(
  behaviour: Partial<Behaviour> = {},
  clock: Clock = realClock,
): Promise<Emulator> {
  const dataDir = await mkdtemp(join(tmpdir(), 'campaign-matrix-service-'));
  const generationMs = { image: 0, carousel: 0, video: 0 };
  const emulator = await startEmulator({
    dataDir,
    clock,
    random: Math.random,
    behaviour: { generationMs, ...behaviour },
  });
  onTestFinished(async () => {
    await emulator.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return emulator;
}
