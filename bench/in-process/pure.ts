/**
 * One pure part of the program, for a count of its instructions: `pure.mjs nothing | graph | plan | fold | run | frames`. Nothing
 * here touches a disk or a network, and the clock is held, so that each time does exactly the same.
 */
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import { emptyState } from '../../src/log/fold.ts';
import { graphOf } from '../../test/support/campaign.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { createMemoryRecorder } from '../../test/support/memory-recorder.ts';
import { planOf, stateAfter } from '../../test/support/play-plan.ts';
import { applySimulated } from '../../test/support/simulated-apply.ts';
import { campaignOf } from '../../test/support/simulated-campaign.ts';
import { createSimulatedService } from '../../test/support/simulated-service.ts';
import { drawFrames } from './frames.ts';

const words = campaignOf({ posts: 400, perRequest: 4 });
const PARTS: Readonly<Record<string, () => unknown>> = {
  nothing: () => words,
  graph: () => graphOf(words),
  /** With the graph, and without a state. */
  plan: () => planOf(words, emptyState()),
  /** With the plan: each of its nodes is done. */
  fold: () => stateAfter(words),
  /** Plan, engine, steps and fold of the whole campaign against a service in memory. */
  run: async () => {
    const clock = createManualClock();
    const service = createSimulatedService({ clock, making: () => ({ ms: 2000 }) });
    const recorder = createMemoryRecorder();
    const network = { service, latency: () => 100 };
    const { report } = await applySimulated({ words, clock, random: seededRandom('run'), recorder, network });
    const notDone = [...report.ends.values()].filter((end) => end !== 'done').length;
    if (notDone > 0) throw new Error(`${notDone} nodes did not end as done`);
  },
  frames: () => drawFrames(createManualClock()),
};
const part = PARTS[process.argv[2] ?? ''];
if (!part)
  throw new Error(`There is no part ${process.argv[2]}; there are: ${Object.keys(PARTS).join(', ')}.`);
await part();
