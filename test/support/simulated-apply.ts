/** A whole apply over virtual time: real plan, steps and engine, a log in memory, the simulated service. */
import { inMemory } from '../../src/engine/in-memory.ts';
import { runPlan } from '../../src/engine/run-plan.ts';
import type { RunReport } from '../../src/engine/run-options.ts';
import type { LimitSettings } from '../../src/engine/limits.ts';
import type { RunState } from '../../src/model/run-state.ts';
import type { Facts } from '../../src/model/facts.ts';
import type { Step, Steps } from '../../src/model/step.ts';
import { requestFailed } from '../../src/steps/request-facts.ts';
import { createSteps } from '../../src/steps/create-steps.ts';
import { createLinks } from '../../src/steps/links.ts';
import { createKnownNames } from '../../src/steps/known-names.ts';
import { requestedIn } from '../../src/steps/known-requests.ts';
import { createMediaLookup, LEARNED_MEDIA_PATH } from '../../src/steps/media-lookup.ts';
import type { StepIo } from '../../src/steps/step-io.ts';
import { type CampaignWords, OUTPUTS } from './campaign.ts';
import type { ManualClock } from './manual-clock.ts';
import type { MemoryRecorder } from './memory-recorder.ts';
import { planOf } from './play-plan.ts';
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

/** The real steps, but for photos and files: nothing here is on a disk. */
export function simulatedSteps(
  given: Pick<StepIo, 'client' | 'clock' | 'random'> & { state: RunState },
): Steps {
  const io: StepIo = {
    ...given,
    folder: '/campaign',
    photosReadAt: 0,
    outputs: OUTPUTS,
    links: createLinks((text) => text),
    lookup: createMediaLookup(given.state.learned.get(LEARNED_MEDIA_PATH)),
    madeProducts: [],
    names: createKnownNames(given.state),
    requested: requestedIn(given.state),
    form: 'schema',
    statuses: {},
    mediaUrls: undefined,
    mediaTimeoutMs: 1_800_000,
  };
  return { ...createSteps(io), upload: sendStep(io), download: fetchStep(io) };
}

/** Applies the words once, and returns when the run has ended. */
export async function applySimulated(options: SimulatedApplyOptions): Promise<SimulatedRun> {
  const { clock, random, recorder, network } = options;
  const { client, calls } = createSimulatedClient({ clock, ...network });
  const startedAt = clock.monotonic();
  const report = await clock.runUntil(
    runPlan({
      ...inMemory({
        nodes: planOf(options.words, recorder.state, { now: clock.now() }).nodes,
        limits: { total: 8, perKind: {}, mediaInFlight: 200, ...options.limits },
        clock,
        random,
        emit: () => {},
      }),
      steps: simulatedSteps({ client, clock, random, state: recorder.state }),
      recorder,
      now: () => new Date(clock.now()).toISOString(),
      stop: { level: 'run', onChange: () => () => {} },
      waiting: 'all',
      onResume: () => client.woke(),
    }),
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
      return { came: 'result', sent: 'yes', result: { media: media.id, files: [] } };
    },
  };
}
