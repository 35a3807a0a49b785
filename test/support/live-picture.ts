/**
 * A terminal in the middle of a run: real plan, engine, steps and live block; the service and the time are simulated, so
 * that every number is the same each time.
 */
import { runNodes } from '../../src/app/run-nodes.ts';
import type { AppEvent } from '../../src/app/runtime.ts';
import type { RunEvent } from '../../src/model/run-event.ts';
import { createLiveRenderer } from '../../src/render/run-live.ts';
import { createStyle } from '../../src/render/style.ts';
import { moneyOf } from '../../src/model/money.ts';
import { campaignOf, type CampaignWords } from './campaign.ts';
import { createManualClock } from './manual-clock.ts';
import { createMemoryRecorder } from './memory-recorder.ts';
import { planGraph } from './play-plan.ts';
import { createScreen } from './screen.ts';
import { simulatedRuntime, TO_THE_END } from './simulated-apply.ts';
import { createSimulatedClient } from './simulated-client.ts';
import { concurrencyLimit } from './simulated-limit.ts';
import { createSimulatedService, type Making } from './simulated-service.ts';

const MOODS = ['morning', 'terrace', 'night'];
const PRODUCTS = ['bottle', 'candle', 'notebook', 'soap', 'teapot', 'vase', 'tote', 'mug'];
const RATIOS = ['1x1', '4x5', '9x16'];

/** 72 requests for 240 posts. */
const WORDS: CampaignWords = {
  products: Object.fromEntries(PRODUCTS.map((name) => [name, { photos: [`${name}-1`] }])),
  concepts: Object.fromEntries(MOODS.map((name) => [name, { description: name }])),
  posts: Object.fromEntries(
    MOODS.flatMap((concept) =>
      PRODUCTS.flatMap((product) =>
        RATIOS.map((ratio, place) => [
          `grid/${concept}+${product}+${ratio}`,
          {
            concept,
            items: Array.from({ length: place === 2 ? 4 : 3 }, (_, n) => ({
              products: [product],
              descriptions: [`${n}`],
            })),
          },
        ]),
      ),
    ),
  ),
};

/** Most take 45 seconds; one is slow, and one is refused. */
function making(nth: number): Making {
  if (nth === 9) return { ms: 20_000, fate: 'fails', message: 'content policy' };
  return { ms: nth === 21 ? 200_000 : 40_000 + ((nth * 7919) % 11_000) };
}

function estimate({ ms }: Making): string {
  return `${Math.ceil(ms / 1000)}s`;
}

/** How the terminal looks so many milliseconds after the beginning. */
export async function terminalDuringRun(ms: number) {
  const screen = createScreen(80, 40);
  const clock = createManualClock();
  const budget = { currency: 'EUR', prices: { image: moneyOf(0.1) } };
  const campaign = campaignOf(WORDS, { mediaInFlight: IN_FLIGHT });
  const recorder = createMemoryRecorder();
  const purse = { ...budget, limits: [], spent: { run: NOTHING, month: NOTHING }, excess: 'show' } as const;
  const plan = planGraph(campaign.graph, recorder.state, { now: clock.now(), purse });
  const renderer = createLiveRenderer({
    stream: screen.stream,
    style: createStyle({ isTTY: true }, 'auto'),
    isUnicode: true,
    clock,
    plan,
    mediaInFlight: IN_FLIGHT,
    usualMs: 45_000,
  });
  const service = createSimulatedService({ clock, making, estimate });
  const network = {
    service,
    clock,
    latency: () => 400,
    limit: concurrencyLimit(3),
    retryAfter: 'silent',
  } as const;
  const { client } = createSimulatedClient(network);
  const random = () => 0.5;
  const emit = (event: AppEvent) => renderer.show(event as RunEvent);
  const runtime = { ...simulatedRuntime({ client, clock, random }), emit };
  const manifest = { ...campaign.manifest, locate: () => ({ file: 'campaign.yaml', line: 72, column: 9 }) };
  const run = {
    campaign: { ...campaign, manifest },
    plan,
    recorder,
    apiKey: 'simulated',
    lineage: undefined,
  };
  void runNodes(runtime, run, TO_THE_END);
  await clock.advance(ms);
  await screen.text();
  return screen.terminal;
}

const IN_FLIGHT = 80;
const NOTHING = { posts: 0, cost: 0n };
