/** Commands of `campaign` in a crash world that ask the service and change only the state: `refresh`, `import`. */
import type { Campaign } from '../../src/app/campaign.ts';
import type { Runtime } from '../../src/app/runtime.ts';
import { noDecisions } from '../../src/decisions/read-decisions.ts';
import type { FatalProblem, Refusal } from '../../src/model/problem.ts';
import type { Store } from '../../src/store/store.ts';
import type { Result } from '../../src/util/result.ts';
import { campaignOf, type CampaignWords } from './campaign.ts';
import { type ProcessEnd, storeOf } from './crash-apply.ts';
import { asProcess } from './crash-fs.ts';
import { startRun } from './crash-run.ts';
import type { CrashWorld } from './crash-world.ts';
import { simulatedRuntime } from './simulated-apply.ts';
import { createSimulatedClient, type SimulatedClientOptions } from './simulated-client.ts';
import { SECRETS } from './simulated-service.ts';

/** What a command does once it knows its campaign. */
export type UseCase = (runtime: Runtime, campaign: Campaign) => Promise<Result<unknown, Refusal>>;

/** Somebody answers each question with yes. */
export const AGREED = {
  consent: { isGiven: () => true, ask: () => Promise.resolve(undefined) },
  lockTimeoutMs: 0,
} as const;

interface Asking {
  readonly words: CampaignWords;
  readonly fault?: SimulatedClientOptions['fault'];
}

/** Runs one command until it has ended, was refused or has died. */
export async function commandOnce(
  world: CrashWorld,
  { words, fault }: Asking,
  use: UseCase,
): Promise<ProcessEnd> {
  const process = world.disk.start();
  const run = startRun(process, 'goes-on');
  world.runs.push(run);
  const { client } = createSimulatedClient({
    service: world.service,
    clock: world.clock,
    latency: () => 50 + 100 * world.random(),
    fault: (call) => (process.dead ? 'refused' : fault?.(call)),
  });
  const runtime: Runtime = {
    ...simulatedRuntime({ client, clock: world.clock, random: world.random }),
    newId: () => `run-${world.runs.length}`,
    env: { CAMPAIGN_API_KEY: SECRETS.key },
  };
  const work = asProcess(process, () => use(runtime, campaignIn(storeOf(world, process), words)));
  const ended = work.then((done): ProcessEnd => (done.ok ? { type: 'ended' } : refused(done.error)));
  const died = process.died.then((): ProcessEnd => ({ type: 'died' }));
  try {
    const end = await world.clock.runUntil(Promise.race([ended, died]));
    run.died = end.type === 'died';
    return end;
  } finally {
    process.end();
  }
}

function refused({ exit, problems: [problem] }: Refusal): ProcessEnd {
  const { code = '', summary = '', detail = '' }: Partial<FatalProblem> = problem ?? {};
  return { type: 'refused', problem: { exit, code, summary, detail } };
}

function campaignIn(store: Store, words: CampaignWords): Campaign {
  const { manifest, ...campaign } = campaignOf(words, { total: 4 });
  const environment = { ...manifest.environment, baseUrl: 'https://visuals.example' };
  return {
    ...campaign,
    manifest: { ...manifest, environment },
    store,
    target: '',
    warnings: [],
    decisions: noDecisions(''),
    decisionsFile: '',
    stateFile: '/campaign/campaign.stage.state.jsonl',
    stateFolder: '/campaign',
    workFolder: '/campaign/.campaign',
    isOwn: () => true,
    pointerFile: undefined,
    others: () => Promise.resolve([]),
    quote: () => undefined,
    reload: () => Promise.reject(new Error('it is read once')),
    readDecisions: () => {
      throw new Error('it is read once');
    },
  };
}
