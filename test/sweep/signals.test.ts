/** Every signal in every phase of a run, once, twice, and against a service that says nothing more. */
import { describe, expect, it } from 'vitest';
import { CONFIG, FILE, ID, makeRequest, makeUpstream, medium, POLL, success } from '../cli/held-answers.ts';
import {
  type AtEnd,
  type CampaignFolder,
  campaignFolder,
  PNG,
  SINGLE,
  untilTestEnds,
} from '../cli/small-campaign.ts';
import { type HeldService, startHeldService } from '../support/held-service.ts';
import type { CliRun } from '../support/run-cli.ts';
import { IS_FULL } from './stride.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const TOKEN = 'POST /get_auth_token';

/** Brings a run into a phase; the function that is given back lets a service that still answers do so. */
const PHASES: Readonly<Record<string, (service: HeldService, run: CliRun) => Promise<() => void>>> = {
  'before the first request': async (service) => {
    await service.next(TOKEN);
    return nothing;
  },
  'during an upload': async (service) => {
    (await service.next('POST /concepts/')).respond(201, success({ id: ID.concept }));
    await service.next('POST /upload-media/');
    return nothing;
  },
  'with a create in flight': async (service) => {
    await makeUpstream(service);
    const create = await service.next('POST /products/');
    return () => create.respond(201, success({ id: ID.product }));
  },
  'while it polls': async (service) => {
    await makeRequest(service);
    await service.next(POLL);
    return nothing;
  },
  'while it downloads': async (service) => {
    await makeRequest(service);
    (await service.next(POLL)).respond(200, medium('success', { media_info: `${service.url}/files/1.png` }));
    await service.next(FILE);
    return nothing;
  },
  'while it waits for a Retry-After': async (service, run) => {
    await makeUpstream(service);
    (await service.next('POST /products/')).respond(
      429,
      { status: 'failed', message: 'slow' },
      { 'retry-after': '200' },
    );
    await run.seen(/"node-waiting".*product\/tote/);
    return nothing;
  },
  'while it writes': async (service) => {
    await makeUpstream(service);
    (await service.next('POST /products/')).respond(201, success({ id: ID.product }));
    return nothing;
  },
};

function nothing(): void {}

/** Answers everything from now on; how often each create was carried out. */
function answerAll(service: HeldService): ReadonlyMap<string, number> {
  const made = new Map<string, number>();
  const answers: Record<string, object> = {
    'POST /upload-media/': success('https://cdn.example.com/tote.png'),
    'POST /concepts/': success({ id: ID.concept }),
    'POST /products/': success({ id: ID.product }),
    'POST /media-config/': CONFIG,
    [POLL]: medium('success', { media_info: `${service.url}/files/1.png` }),
  };
  for (const [request, answer] of Object.entries(answers)) void forEver(request, answer);
  void (async () => {
    for (;;) (await service.next(FILE)).respondRaw(200, PNG, { 'content-type': 'image/png' });
  })();
  return made;

  async function forEver(request: string, answer: object): Promise<never> {
    for (;;) {
      (await service.next(request)).respond(200, answer);
      made.set(request, (made.get(request) ?? 0) + 1);
    }
  }
}

/** Stops a run in a phase, then lets the next one finish from what is there. */
async function stopAndGoOn(
  cell: { signal: (typeof SIGNALS)[number]; phase: string; how: string },
  atEnd: AtEnd,
): Promise<void> {
  const first = await untilTestEnds(
    startHeldService(cell.phase === 'before the first request' ? { holdTokenRoute: true } : {}),
    atEnd,
  );
  const campaign = await campaignFolder(SINGLE, first, atEnd);
  const run = campaign.start(['apply', 'm.yaml', '--json']);
  const answer = await PHASES[cell.phase]?.(first, run);
  const started = performance.now();
  run.process.kill(cell.signal);
  const told = run.seen(/no new work/).then(
    () => true,
    () => false,
  );
  if (cell.how === 'twice' && (await told)) run.process.kill(cell.signal);
  if (cell.how === 'once' && (await told)) answer?.();
  expect(await run.end).toMatchObject({ signal: cell.signal });
  // What is under way is awaited once for 20 s, not once for each request.
  expect(performance.now() - started).toBeLessThan(35_000);
  const second = await untilTestEnds(startHeldService(), atEnd);
  await goOn(campaign, { first, second });
}

async function goOn(
  campaign: CampaignFolder,
  { first, second }: { first: HeldService; second: HeldService },
): Promise<void> {
  const sent = first.seen.filter((request) => request === 'POST /products/').length;
  const made = answerAll(second);
  // The same service, as far as the state knows, at another port.
  await campaign.run(['state', 'rebind', 'm.yaml', '--yes'], { CAMPAIGN_BASE_URL: second.url });
  const apply = () => campaign.run(['apply', 'm.yaml'], { CAMPAIGN_BASE_URL: second.url });
  let { code } = await apply();
  if (code === 4) {
    const decided = ['resolve', 'm.yaml', 'product/tote', '--not-created'];
    expect(await campaign.run(decided, { CAMPAIGN_BASE_URL: second.url })).toMatchObject({ code: 0 });
    ({ code } = await apply());
  }
  expect(code).toBe(0);
  for (const request of ['POST /products/', 'POST /concepts/', 'POST /media-config/'])
    expect(made.get(request) ?? 0).toBeLessThanOrEqual(1);
  expect(sent).toBeLessThanOrEqual(2);
  expect(await campaign.files()).toContain('out/small/default/hero/kitchen-image.png');
}

describe('signals (scenario 11)', () => {
  const cells = SIGNALS.flatMap((signal, row) =>
    Object.keys(PHASES).flatMap((phase, column) =>
      (phase === 'with a create in flight' && IS_FULL ? ['once', 'twice', 'silent'] : ['once', 'twice']).map(
        (how, index) => ({ signal, phase, how, isSample: (row + column + index) % 6 === 0 }),
      ),
    ),
  ).filter(({ isSample }) => IS_FULL || isSample);

  it.concurrent.for(cells)(
    '$signal $phase, $how: ends by the signal, and the next run finishes',
    { timeout: 120_000 },
    (cell, { onTestFinished }) => stopAndGoOn(cell, onTestFinished),
  );
});
