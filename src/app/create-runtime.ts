import { randomUUID } from 'node:crypto';
import { realClock } from '../util/clock.ts';
import { createConnect, type ServiceSettings } from './connect-service.ts';
import { manifestVersion } from './manifest-version.ts';
import type { AppEvent, Runtime, ProcessVariables } from './runtime.ts';

interface Surroundings extends ServiceSettings {
  /** By default the variables of this process. */
  readonly env?: ProcessVariables | undefined;
  readonly emit: (event: AppEvent) => void;
}

/** The runtime of this machine: the only place that makes a clock, randomness and new ids. */
export function createRuntime({ env = process.env, emit, ...settings }: Surroundings): Runtime {
  const machine = { clock: realClock, random: Math.random, newId: randomUUID, env };
  return {
    ...machine,
    connect: createConnect(machine, settings),
    async createSteps(io) {
      const { createSteps } = await import('../steps/create-steps.ts');
      return createSteps(io);
    },
    manifestVersion: (manifest) => manifestVersion(manifest, env),
    emit,
  };
}
