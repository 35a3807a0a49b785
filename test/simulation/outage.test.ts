/** The service goes away: scenario 17. */
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import { listState } from '../../src/views/list-state.ts';
import { IS_FULL } from '../sweep/stride.ts';
import { duplicates, unrecorded } from '../support/ledger-check.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createMemoryRecorder } from '../support/memory-recorder.ts';
import { applySimulated } from '../support/simulated-apply.ts';
import { campaignOf } from '../support/simulated-campaign.ts';
import type { SimulatedCall, SimulatedFault } from '../support/simulated-client.ts';
import { createSimulatedService } from '../support/simulated-service.ts';

const SLOTS = 8;
/** Every 7th request in `npm run test:sweep`, every 17th in `.ci/run`; as a part of `npm run test:system` a first and a late one. */
const STRIDE = IS_FULL ? 7 : 199;
/** Behind the last request there is no outage any more, and a run of all posts. */
const LATEST = IS_FULL ? Infinity : 1 + STRIDE;
const WORDS = campaignOf({ posts: 60, perRequest: 2 });
const OUTAGES: readonly SimulatedFault[] = [
  'refused',
  'unreachable',
  'cut',
  'cut-done',
  'silent',
  'silent-done',
  'garbage',
  { status: 500 },
  { status: 503 },
  { status: 503, retryAfter: 20 },
  { status: 503, retryAfter: 3600 },
];

const figures: string[] = [];
afterAll(() => console.log(`outages, from every ${STRIDE}th request on:\n${figures.join('\n')}`));

function world(seed: string) {
  const clock = createManualClock();
  const random = seededRandom(seed);
  const service = createSimulatedService({ clock, making: () => ({ ms: 2000 + 60_000 * random() }) });
  const recorder = createMemoryRecorder();
  const apply = (fault: (call: SimulatedCall) => SimulatedFault | undefined) =>
    applySimulated({
      words: WORDS,
      clock,
      random,
      recorder,
      limits: { total: SLOTS },
      network: { service, latency: () => 100 * (0.5 + random()), fault },
    });
  return { clock, service, recorder, apply };
}

/** D and L, where the service says what became of everything. */
function checkBooks({ service, recorder }: ReturnType<typeof world>): void {
  const rows = listState(recorder.state);
  expect(duplicates(service.ledger)).toEqual([]);
  const unknowns = rows.filter(({ kind, status }) => status === 'unknown' && kind !== 'media').length;
  expect(unrecorded(service.ledger, rows).length).toBeLessThanOrEqual(unknowns);
}

const endOf = ({ endedAt = Infinity }: SimulatedCall) => endedAt;
const isCreate = ({ route }: SimulatedCall) => /^POST \/(?:products|concepts|media-config)\//.test(route);

describe('an outage that does not end', () => {
  it.each(OUTAGES)('%j: stops within two minutes, with few requests and few unknowns', async (outage) => {
    const worst = { seconds: 0, requests: 0, unknowns: 0 };
    let runs = 0;
    for (let from = 1; from <= LATEST; from += STRIDE) {
      const here = world(`outage ${from}`);
      const { calls, report } = await here.apply(({ n }) => (n >= from ? outage : undefined));
      const first = calls.find(({ n }) => n === from);
      if (!first) break;
      runs += 1;
      const ms = here.clock.monotonic() - first.at;
      const requests = calls.length - from + 1;
      // Those in flight when it is noticed may all have left after its start.
      expect(requests).toBeLessThanOrEqual(SLOTS + 20 + Math.ceil(ms / 5000));
      expect(ms).toBeLessThanOrEqual(120_000);
      const unknowns = [...report.ends.values()].filter((end) => end === 'unknown').length;
      // Creates in flight when the first of them ends badly: some of them left after the outage began.
      const noticed = Math.min(...calls.filter((call) => isCreate(call) && call.n >= from).map(endOf));
      const creates = calls.filter(
        (call) => isCreate(call) && call.at <= noticed && endOf(call) >= noticed,
      ).length;
      expect(unknowns).toBeLessThanOrEqual(creates + 3);
      checkBooks(here);
      worst.seconds = Math.max(worst.seconds, Math.ceil(ms / 1000));
      worst.requests = Math.max(worst.requests, requests);
      worst.unknowns = Math.max(worst.unknowns, unknowns);
    }
    expect(runs * STRIDE).toBeGreaterThan(280);
    figures.push(
      `${JSON.stringify(outage)}: ${runs} runs, at most ${worst.seconds} s, ${worst.requests} requests, ${worst.unknowns} unknown`,
    );
  });
});

it('five minutes of 503 end the run, and the next one finishes what is not unknown', async () => {
  const here = world('five minutes');
  const { clock } = here;
  const fault = () =>
    clock.monotonic() > 700 && clock.monotonic() < 300_700 ? ({ status: 503 } as const) : undefined;
  const first = await here.apply(fault);
  expect(first.report.stopped).toContain('unavailable');
  await clock.advance(300_700 - clock.monotonic());
  const second = await here.apply(fault);
  expect(second.report.stopped.size).toBe(0);
  expect(new Set([...second.report.ends.values(), 'blocked'])).toEqual(new Set(['done', 'blocked']));
  checkBooks(here);
  const rows = listState(here.recorder.state);
  expect(new Set([...rows.map(({ status }) => status), 'unknown'])).toEqual(new Set(['done', 'unknown']));
  figures.push(
    `five minutes of 503: ${first.calls.length} + ${second.calls.length} requests, ${rows.filter(({ status }) => status === 'unknown').length} rows unknown`,
  );
});

it('half a minute of everything refused is survived', async () => {
  const here = world('half a minute');
  const { clock } = here;
  const { report } = await here.apply(() =>
    clock.monotonic() > 2000 && clock.monotonic() < 32_000 ? 'refused' : undefined,
  );
  expect(report.stopped.size).toBe(0);
  expect(new Set([...report.ends.values(), 'put-off'])).toEqual(new Set(['done', 'put-off']));
  checkBooks(here);
});
