/**
 * What the runs of one command share of each account (base URL and key): one token and its connections, its limits with
 * all that was learned of the service, and whether it is of any use.
 */
import { EXIT_OF_STOP, type StopReason } from '../engine/outcome-table.ts';
import type { LimitSettings } from '../engine/limits.ts';
import { createServiceLimits, type ServiceLimits } from '../engine/service-limits.ts';
import type { Environment } from '../manifest/manifest.ts';
import { EMULATOR } from '../model/emulator.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { Connect, Connection, ConnectOptions, Runtime } from './runtime.ts';
import { identityOf } from './state-place.ts';

export type SharedServices = ReturnType<typeof createSharedServices>;
export type SharedService = ReturnType<typeof createSharedService>;

type Parts = Pick<Runtime, 'clock' | 'random'>;

export function createSharedServices(parts: Parts) {
  const services = new Map<string, SharedService>();
  return {
    of(environment: Environment, apiKey: string): SharedService {
      const key = JSON.stringify([identityOf({ name: '', environment }).baseUrl, apiKey]);
      const service = services.get(key) ?? createSharedService(parts);
      services.set(key, service);
      return service;
    },
    async close(): Promise<void> {
      for (const service of services.values()) await service.close();
    },
  };
}

function createSharedService(parts: Parts) {
  let limits: ServiceLimits | undefined;
  const connections = new Map<string, Connection>();
  let ended: { readonly reason: Ending; readonly by: string } | undefined;
  return {
    begin(settings: LimitSettings): ServiceLimits {
      if (limits) limits.begin(settings);
      else limits = createServiceLimits({ ...parts, limits: settings });
      return limits;
    },
    /** Stays open for the next run, which may read answers in another way; an embedded emulator belongs to one state. */
    async connect(connect: Connect, environment: Environment, options: ConnectOptions): Promise<Connection> {
      const { baseUrl, gaps } = environment;
      if (baseUrl === EMULATOR) return connect(environment, options);
      const key = JSON.stringify([gaps.uploadUrl, gaps.nothingDone, options.dated]);
      const kept = connections.get(key) ?? (await connect(environment, options));
      connections.set(key, kept);
      // What another run has left idle would count as well.
      for (const { client } of connections.values()) client.allow(options.concurrency);
      return { client: kept.client, close: () => Promise.resolve() };
    },
    /** `by`: the manifest whose run was stopped for these reasons. */
    stopped(reasons: Iterable<StopReason>, by: string): void {
      for (const reason of reasons) if (isEnding(reason)) ended ??= { reason, by };
    },
    /** Why no run would get any further here. */
    get refusal(): Refusal | undefined {
      return ended && endedBy(ended);
    },
    async close(): Promise<void> {
      for (const connection of connections.values()) await connection.close();
    },
  };
}

const ENDINGS = {
  unavailable: { code: 'service-down', summary: 'The service is down', what: 'run again later' },
  unauthorized: {
    code: 'key-refused',
    summary: 'The service refuses the API key',
    what: 'check the key and the environment, then run again',
  },
  misconfigured: {
    code: 'nothing-can-be-sent',
    summary: 'Nothing can be sent to the service as it is configured',
    what: 'do what is said there, then run again',
  },
} as const satisfies Partial<Record<StopReason, object>>;

type Ending = keyof typeof ENDINGS;

function isEnding(reason: StopReason): reason is Ending {
  return reason in ENDINGS;
}

function endedBy({ reason, by }: { readonly reason: Ending; readonly by: string }): Refusal {
  const { code, summary, what } = ENDINGS[reason];
  const detail = `The run of ${by} has found that out, and this manifest uses the same base URL and key. Nothing was sent for it: ${what}.`;
  return refusal(EXIT_OF_STOP[reason], { code, summary, detail });
}
