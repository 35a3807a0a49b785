import type { Profile } from '../emulator/profiles/read-profile.ts';
import { EMULATOR } from '../model/emulator.ts';
import type { ClientOptions } from '../service/client.ts';
import { timeoutsOf } from '../service/connections.ts';
import { readTlsFiles } from './tls-files.ts';
import { readProxies } from './transport.ts';
import type { Connect, Runtime } from './runtime.ts';

export interface ServiceSettings extends Pick<ClientOptions, 'deadlines' | 'requestTimeouts' | 'trace'> {
  readonly profile?: Profile | undefined;
}

export function createConnect(
  { clock, random, env, emit }: Pick<Runtime, 'clock' | 'random' | 'env'> & Partial<Pick<Runtime, 'emit'>>,
  { profile, ...common }: ServiceSettings = {},
): Connect {
  return async ({ baseUrl, gaps }, { emulatorData, ...options }) => {
    const { createClient } = await import('../service/client.ts');
    const { uploadUrl, nothingDone } = gaps;
    const said = { ...common.requestTimeouts, ...options.requestTimeouts };
    const requestTimeouts = { ...timeoutsOf(gaps.timeouts), ...said };
    const settings = { ...common, ...options, requestTimeouts, clock, uploadUrl, nothingDone };
    if (baseUrl !== EMULATOR) {
      const tls = await readTlsFiles({ baseUrl, gaps });
      if (!tls.ok) throw new Error(tls.error.problems[0]?.detail);
      const client = createClient({ ...settings, ...(await readProxies(env)), tls: tls.value, baseUrl });
      return { client, close: () => Promise.resolve(client.close()) };
    }
    const { seededRandom, startEmulator } = await import('../emulator/emulator.ts');
    const emulator = await startEmulator({
      dataDir: emulatorData,
      clock,
      random: profile?.seed === undefined ? random : seededRandom(profile.seed),
      behaviour: profile?.behaviour,
      orders: profile?.orders,
      onStandIn: (summary) => emit?.({ type: 'warning', summary }),
    });
    // It is inside this process, so there is no proxy in between.
    const client = createClient({ ...settings, baseUrl: emulator.url });
    return {
      client,
      async close() {
        client.close();
        await emulator.close();
      },
    };
  };
}
