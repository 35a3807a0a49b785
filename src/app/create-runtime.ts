import { randomUUID } from 'node:crypto';
import { realClock } from '../util/clock.ts';
import { createConnect, type ServiceSettings } from './connect-service.ts';
import { manifestVersion } from './manifest-version.ts';
import type { AppEvent, Runtime, ProcessVariables } from './runtime.ts';

interface Surroundings extends ServiceSettings {
  /** By default the variables of this process. What Node and the proxies' library obey is always the process's own. */
  readonly env?: ProcessVariables | undefined;
  readonly emit: (event: AppEvent) => void;
}

/** The runtime of this machine: the only place that makes a clock, randomness and new ids. */
export function createRuntime({ env: given, emit, ...settings }: Surroundings): Runtime {
  const env = given ? obeyedWith(given) : process.env;
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

/** NODE_DEBUG would print the token, and a proxy is chosen, by what stands in the process, whatever else was passed in. */
function obeyedWith(given: ProcessVariables): ProcessVariables {
  const pick = (env: ProcessVariables, isOfProcess: boolean) =>
    Object.entries(env).filter(([name]) => /^NODE_|_proxy$/i.test(name) === isOfProcess);
  return Object.fromEntries([...pick(given, false), ...pick(process.env, true)]);
}
