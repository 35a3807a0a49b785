/** Every signal in every phase of a run, once, twice, and against a service that says nothing more. */
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/model/run-event.ts';
import { listState, type StateRow } from '../../src/views/list-state.ts';
import { FILE, ID, makeRequest, makeUpstream, medium, POLL, success } from '../cli/held-answers.ts';
import {
  type AtEnd,
  type CampaignFolder,
  campaignFolder,
  SINGLE,
  STATE,
  untilTestEnds,
} from '../cli/small-campaign.ts';
import { type HeldService, startHeldService } from '../support/held-service.ts';
import { readRunState } from '../support/read-state.ts';
import type { CliRun } from '../support/run-cli.ts';
import { answerAll, keepBooks, type NotedService } from './noted-service.ts';
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

type Cell = {
  readonly signal: (typeof SIGNALS)[number];
  readonly phase: string;
  readonly how: 'once' | 'twice' | 'silent';
};

/** Stops a run in a phase, then lets the next one finish from what is there. */
async function stopAndGoOn(cell: Cell, atEnd: AtEnd): Promise<void> {
  const held = startHeldService(cell.phase === 'before the first request' ? { holdTokenRoute: true } : {});
  const first = keepBooks(await untilTestEnds(held, atEnd));
  const campaign = await campaignFolder(SINGLE, first, atEnd);
  const run = campaign.start(['apply', 'm.yaml', '--json']);
  const answer = await PHASES[cell.phase]?.(first, run);
  const started = performance.now();
  run.process.kill(cell.signal);
  const told = run.seen(/"run-stopping"/).then(
    () => true,
    () => false,
  );
  if (cell.how === 'twice' && (await told)) run.process.kill(cell.signal);
  if (cell.how === 'once' && (await told)) answer?.();
  const end = await run.end;
  expect(end).toMatchObject({ signal: cell.signal });
  expectAwaited(cell, { stdout: end.stdout, ms: performance.now() - started });
  const second = keepBooks(await untilTestEnds(startHeldService(), atEnd));
  await goOn(campaign, [first, second]);
}

/** What is under way is awaited for 20 s, once: not once for each request, and not where nothing can be made any more. */
function expectAwaited({ phase, how }: Cell, { stdout, ms }: { stdout: string; ms: number }): void {
  if (how !== 'silent' || phase !== 'with a create in flight') {
    expect(ms).toBeLessThan(20_000);
    return;
  }
  const events = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as RunEvent]));
  const creates = events.filter((event) => event.type === 'node-finished' && event.kind === 'product');
  expect(creates).toMatchObject([{ end: 'unknown' }]);
  // By the clock of the run itself.
  const awaited = creates.map((event) => ('ms' in event ? event.ms / 20_000 : 0));
  expect(awaited.map(Math.floor)).toEqual([1]);
}

/** The same service, as far as the state knows, at another port: D and L, over the books of both. */
async function goOn(
  campaign: CampaignFolder,
  [first, second]: readonly [NotedService, NotedService],
): Promise<void> {
  answerAll(second);
  const run = (...args: readonly string[]) => campaign.run(args, { CAMPAIGN_BASE_URL: second.url });
  const identity = { campaign: 'small', environment: 'default', baseUrl: second.url };
  const rows = async () => listState(await readRunState(`${campaign.folder}/${STATE}`, identity));
  await run('state', 'use', 'm.yaml', STATE, '--yes');
  let { code } = await run('apply', 'm.yaml');
  if (code === 4) {
    for (const { address, kind } of (await rows()).filter(isUnknownCreate)) {
      // What a person finds in the service's books.
      const one = first.made.find((made) => made.kind === kind);
      const decision = one ? ['--id', one.id] : ['--not-created'];
      expect(await run('resolve', 'm.yaml', address, ...decision)).toMatchObject({ code: 0 });
    }
    ({ code } = await run('apply', 'm.yaml'));
  }
  expect(code).toBe(0);
  const made = [...first.made, ...second.made];
  expect(made.map(({ kind }) => kind).sort()).toEqual(['concept', 'media-config', 'product']);
  const ids = (await rows()).map(({ id }) => id);
  expect(made.filter(({ id }) => !ids.includes(id))).toEqual([]);
  expect(await campaign.files()).toContain('out/small/default/hero/kitchen-image.png');
}

function isUnknownCreate({ kind, status }: StateRow): boolean {
  return status === 'unknown' && kind !== 'media';
}

describe('signals (scenario 11)', () => {
  const cells = SIGNALS.flatMap((signal, row) =>
    Object.keys(PHASES).flatMap((phase, column) =>
      (['once', 'twice', 'silent'] as const).map((how, index) => ({
        signal,
        phase,
        how,
        // Silence takes its 20 s: only in the full form.
        isSample: how !== 'silent' && (row + column + index) % 6 === 0,
      })),
    ),
  ).filter(({ isSample }) => IS_FULL || isSample);

  it.concurrent.for(cells)(
    '$signal $phase, $how: ends by the signal, and the next run finishes',
    { timeout: 120_000 },
    (cell, { onTestFinished }) => stopAndGoOn(cell, onTestFinished),
  );
});
