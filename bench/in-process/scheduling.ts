/** Measures the engine by itself: `scheduling.mjs NODES` runs posts whose steps do nothing, over a state in memory. */
import { inMemory } from '../../src/engine/in-memory.ts';
import { runPlan } from '../../src/engine/run-plan.ts';
import { createServiceLimits } from '../../src/engine/service-limits.ts';
import { KINDS } from '../../src/model/kinds.ts';
import type { Steps } from '../../src/model/step.ts';
import { realClock } from '../../src/util/clock.ts';
import { done } from '../../test/support/facts.ts';
import { createMemoryRecorder } from '../../test/support/memory-recorder.ts';
import { postNodes, resultFor } from '../../test/support/planned-nodes.ts';

/** A request, ten polls and ten downloads. */
const POSTS = 10;

const count = Number(process.argv[2]);
const nodes = Array.from({ length: Math.ceil(count / (1 + 2 * POSTS)) }, (_, n) =>
  postNodes(`grid/p${n}`, POSTS),
).flat();
const step: Steps['media'] = { run: async ({ node }) => done(resultFor(node)) };
const steps = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, step])) as unknown as Steps;
const machine = { clock: realClock, random: Math.random };
const start = performance.now();
const { ends } = await runPlan({
  ...inMemory({
    nodes,
    service: createServiceLimits({
      limits: { total: 64, perKind: {}, mediaInFlight: 1_000_000 },
      ...machine,
    }),
    ...machine,
    emit: () => {},
  }),
  steps,
  recorder: createMemoryRecorder(),
  stop: { level: 'run', onChange: () => () => {} },
  now: () => '2026-03-01T00:00:00.000Z',
  waiting: 'all',
});
const ms = performance.now() - start;
const notDone = [...ends.values()].filter((end) => end !== 'done').length;
if (notDone > 0) throw new Error(`${notDone} of ${nodes.length} nodes did not end as done`);
const mb = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ ms, mb, nodes: nodes.length }));
