/** A whole apply over virtual time: real plan, steps and engine, a log in memory, the simulated service. */
import { runNodes } from '../../src/app/run-nodes.ts';
import type { Runtime } from '../../src/app/runtime.ts';
import type { RunReport } from '../../src/engine/run-plan.ts';
import type { LimitSettings } from '../../src/engine/limits.ts';
import type { Facts } from '../../src/model/facts.ts';
import type { Step, Steps } from '../../src/model/step.ts';
import { requestFailed } from '../../src/steps/request-facts.ts';
import { createSteps } from '../../src/steps/create-steps.ts';
import type { StepIo } from '../../src/steps/step-io.ts';
import { realDisk } from '../../src/util/disk.ts';
import { campaignOf, type CampaignWords } from './campaign.ts';
import type { ManualClock } from './manual-clock.ts';
import type { MemoryRecorder } from './memory-recorder.ts';
import { planGraph } from './play-plan.ts';
import {
  createSimulatedClient,
  type SimulatedCall,
  type SimulatedClientOptions,
} from './simulated-client.ts';

export interface SimulatedApplyOptions {
  readonly words: CampaignWords;
  readonly clock: ManualClock;
  readonly random: () => number;
  readonly recorder: MemoryRecorder;
  readonly limits?: Partial<LimitSettings>;
  readonly network: Omit<SimulatedClientOptions, 'clock'>;
}

export interface SimulatedRun {
  readonly report: RunReport;
  readonly calls: readonly SimulatedCall[];
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  readonly ms: number;
}

/** What a use case takes from outside where time, network and photos are simulated. */
export function simulatedRuntime(
  { client, clock, random }: Pick<StepIo, 'client' | 'clock' | 'random'>,
  steps: (io: StepIo) => Steps = simulatedSteps,
): Runtime {
  return {
    clock,
    random,
    newId: () => '00000000-0000-4000-8000-000000000000',
    env: {},
    disk: realDisk,
    connect: () => Promise.resolve({ client, close: () => Promise.resolve() }),
    openObjects: () => Promise.reject(new Error('no storage is named')),
    createSteps: steps,
    manifestVersion: ({ file }) => Promise.resolve({ file, commit: null, dirty: null }),
    emit() {},
  };
}

/** The real steps, but for photos and files: nothing here is on a disk. */
export function simulatedSteps(io: StepIo): Steps {
  return { ...createSteps(io), upload: sendStep(io), download: fetchStep(io) };
}

/** How a run goes that nobody stops and that waits for everything. */
export const TO_THE_END = {
  waiting: 'all',
  failFast: 'continue',
  stop: { level: 'run', exit: undefined, onChange: () => () => {}, release() {} },
} as const;

/** Applies the words once, and returns when the run has ended. */
export async function applySimulated(options: SimulatedApplyOptions): Promise<SimulatedRun> {
  const { clock, random, recorder, network, words, limits } = options;
  const { client, calls } = createSimulatedClient({ clock, ...network });
  const startedAt = clock.monotonic();
  const campaign = campaignOf(words, limits);
  const plan = planGraph(campaign.graph, recorder.state, { now: clock.now() });
  const { report } = await clock.runUntil(
    runNodes(
      simulatedRuntime({ client, clock, random }),
      { campaign, plan, recorder, apiKey: 'simulated', lineage: undefined },
      TO_THE_END,
    ),
  );
  return { report, calls, startedAt, ms: clock.monotonic() - startedAt };
}

/** The upload step without its disk. */
function sendStep(io: StepIo): Step {
  return {
    async run(job, signal): Promise<Facts> {
      const { address } = job.node;
      const file = { path: address, filename: address, contentType: 'image/jpeg', sha256: '' };
      const answer = await io.client.uploadMedia(file, { signal });
      return answer.ok
        ? { came: 'result', sent: 'yes', result: { url: answer.value } }
        : requestFailed(answer.error, io);
    },
  };
}

/** The download step without its disk. */
function fetchStep(io: StepIo): Step {
  return {
    async run(job, signal): Promise<Facts> {
      const [media] = Object.values(job.results);
      if (!media || !('urls' in media)) throw new Error(`no result of the medium of ${job.node.address}`);
      for (const url of media.urls) {
        const answer = await io.client.download({ url, path: '' }, { signal });
        if (!answer.ok) return requestFailed(answer.error, io);
      }
      const files = media.urls.map((_, n) => fileOf(`${job.node.address}-${n + 1}.png`));
      return { came: 'result', sent: 'yes', result: { media: media.id, files } };
    },
  };
}

function fileOf(path: string) {
  return { path, sha256: 'f', bytes: 1, contentType: 'image/png' };
}
