import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/model/run-event.ts';
import { startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import type { CliEnd } from '../support/run-cli.ts';
import {
  failure,
  finishMedium,
  ID,
  makeRequest,
  makeUpstream,
  medium,
  POLL,
  success,
} from './held-answers.ts';
import { campaignFolder, SINGLE, STATE, SMALL, untilTestEnds } from './small-campaign.ts';

const SCHEMA = join(import.meta.dirname, '..', '..', 'schemas', 'event.schema.json');
const isEvent = new Ajv2020({ allErrors: true }).compile(
  JSON.parse(await readFile(SCHEMA, 'utf8')) as object,
);
const APPLY = ['apply', 'm.yaml', '--json'];

/** Every line of standard output, each checked against the schema; the last one tells the end of the process. */
function eventsOf({ code, signal, stdout }: CliEnd): RunEvent[] {
  expect(stdout.endsWith('\n')).toBe(true);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent);
  for (const event of events) {
    isEvent(event);
    expect({ event, problems: isEvent.errors ?? [] }).toEqual({ event, problems: [] });
  }
  expect(events[0]).toMatchObject({ type: 'version', format_version: '1.0' });
  const exit = signal === null ? code : 128 + constants.signals[signal];
  expect(events.at(-1)).toMatchObject({ type: 'run-finished', exit_code: exit });
  return events;
}

async function heldCampaign(manifest = SINGLE) {
  const service = await untilTestEnds(startHeldService());
  return { service, campaign: await campaignFolder(manifest, service) };
}

/** What every line but the first names. */
const NAMED = { manifest: 'm.yaml', campaign: 'small', environment: 'default' };

const NONE = {
  created: 0,
  updated: 0,
  replaced: 0,
  deleted: 0,
  moved: 0,
  unchanged: 0,
  downloaded: 0,
  failed: 0,
  blocked: 0,
  unknown: 0,
  pending: 0,
};

describe('apply --json', () => {
  it('tells the run, one event a line, and ends with its outcome', async () => {
    const service = await untilTestEnds(startBareService());
    const campaign = await campaignFolder(SMALL, service);
    const end = await campaign.run(APPLY);
    expect(end.stderr).toBe('');
    const events = eventsOf(end);
    expect(events[1]).toEqual({
      ...NAMED,
      type: 'run-started',
      command: 'apply',
      host: new URL(service.url).host,
      state: STATE,
      known: 0,
    });
    expect(events.filter(({ type }) => type === 'node-finished')).toHaveLength(8);
    expect(events.at(-1)).toEqual({
      ...NAMED,
      type: 'run-finished',
      outcome: 'succeeded',
      exit_code: 0,
      nodes: { ...NONE, created: 5, downloaded: 4 },
    });
    expect(eventsOf(await campaign.run(APPLY))).toEqual([
      expect.objectContaining({ type: 'version' }),
      expect.objectContaining({ type: 'run-started', known: 5 }),
      {
        ...NAMED,
        type: 'run-finished',
        outcome: 'succeeded',
        exit_code: 0,
        nodes: { ...NONE, unchanged: 5 },
      },
    ]);
  });

  it('tells retries, failures and what they block', async () => {
    const { service, campaign } = await heldCampaign();
    const run = campaign.run(APPLY);
    (await service.next('POST /upload-media/')).respond(503, failure('busy'));
    await makeUpstream(service);
    (await service.next('POST /products/')).respond(422, failure('no such variant'));
    const events = eventsOf(await run);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'node-waiting', kind: 'upload', why: 'retry' }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'node-finished',
        address: 'product/tote',
        end: 'rejected',
        problem: {
          summary: 'The service refused the request',
          detail: 'POST /products/: refused (422): no such variant',
          status: 422,
        },
      }),
    );
    expect(events.at(-1)).toEqual({
      ...NAMED,
      type: 'run-finished',
      outcome: 'failed',
      exit_code: 1,
      nodes: { ...NONE, created: 2, failed: 1, blocked: 1 },
      next: [{ command: 'campaign apply m.yaml', does: 'requests 1 post', posts: 1, cost: null }],
    });
  });

  it('tells an unknown create, then each run that waits for the decision', async () => {
    const { service, campaign } = await heldCampaign();
    const run = campaign.run(APPLY);
    await makeUpstream(service);
    (await service.next('POST /products/')).reset();
    const does = 'shows what to look for of 1 unknown create, and takes what you found; pays nothing';
    const next = [{ command: 'campaign resolve m.yaml --all', does, posts: 0, cost: 0 }];
    const undecided = { ...NAMED, type: 'run-finished', outcome: 'undecided', exit_code: 4, next };
    expect(eventsOf(await run).at(-1)).toEqual({
      ...undecided,
      nodes: { ...NONE, created: 2, blocked: 1, unknown: 1 },
    });
    expect(eventsOf(await campaign.run(APPLY)).at(-1)).toEqual({
      ...undecided,
      nodes: { ...NONE, unchanged: 2, blocked: 1, unknown: 1 },
    });
  });

  it('tells pending posts, a stop and a failed one', async () => {
    const { service, campaign } = await heldCampaign();
    const first = campaign.start(APPLY);
    await makeRequest(service);
    (await service.next(POLL)).respond(200, medium('processing', { estimated_duration: '0' }));
    await service.next(POLL);
    first.process.kill('SIGTERM');
    expect(eventsOf(await first.end).at(-1)).toEqual({
      ...NAMED,
      type: 'run-finished',
      outcome: 'cancelled',
      exit_code: 143,
      nodes: { ...NONE, created: 3, pending: 1 },
      left: { pending: 1, to_request: 0, put_off: 0, to_download: 0, over_budget: 0 },
      next: [
        {
          command: 'campaign wait m.yaml',
          does: 'polls and downloads 1 requested post; pays nothing',
          posts: 0,
          cost: 0,
        },
      ],
    });

    const second = campaign.run(APPLY);
    (await service.next(POLL)).respond(200, medium('failed'));
    const events = eventsOf(await second);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'node-finished', address: 'media/hero/kitchen@1', end: 'failed' }),
    );
    expect(events.at(-1)).toMatchObject({ outcome: 'failed', nodes: { unchanged: 3, failed: 1 } });
  });

  it('tells moves', async () => {
    const { service, campaign } = await heldCampaign();
    const first = campaign.run(APPLY);
    await makeRequest(service);
    await finishMedium(service);
    await first;
    await campaign.write('m.yaml', SINGLE.replaceAll('tote:', 'bag:').replace('[tote]', '[bag]'));
    const events = eventsOf(await campaign.run(APPLY));
    expect(events).toContainEqual({ ...NAMED, type: 'node-moved', from: 'product/tote', to: 'product/bag' });
    expect(events.at(-1)).toMatchObject({ exit_code: 0, nodes: { ...NONE, moved: 1, unchanged: 4 } });
  });

  it.for([
    ['version: 1\nname: small\npots: {}\n', {}, 'invalid', 65],
    [SINGLE, { CAMPAIGN_BASE_URL: '' }, 'invalid', 78],
    [SINGLE, { CAMPAIGN_API_KEY: '' }, 'invalid', 78],
    [SINGLE, { CAMPAIGN_STATE: '/dev/null' }, 'error', 76],
  ] as const)('tells why nothing was run: %j %j', async ([manifest, env, outcome, code]) => {
    const { service, campaign } = await heldCampaign(manifest);
    const end = await campaign.run(APPLY, env);
    expect(end.stderr).toBe('');
    const events = eventsOf(end);
    expect(events.at(-2)).toMatchObject({ type: 'diagnostic', severity: 'error' });
    expect(events.at(-1)).toMatchObject({
      manifest: 'm.yaml',
      type: 'run-finished',
      outcome,
      exit_code: code,
      nodes: NONE,
    });
    expect(service.seen).toEqual([]);
  });

  it('tells wrong variables, a missing manifest and a lock that is held', async () => {
    const { service, campaign } = await heldCampaign();
    expect(eventsOf(await campaign.run([...APPLY, '--var', 'x'])).at(-1)).toMatchObject({ exit_code: 64 });
    expect(eventsOf(await campaign.run(['apply', 'no.yaml', '--json'])).at(-1)).toMatchObject({
      exit_code: 65,
    });
    const holder = campaign.runApart(APPLY);
    const upload = await service.next('POST /upload-media/');
    expect(eventsOf(await campaign.run(APPLY)).at(-1)).toMatchObject({ outcome: 'locked', exit_code: 75 });
    upload.respond(400, failure('no'));
    (await service.next('POST /concepts/')).respond(201, success({ id: ID.concept }));
    expect(eventsOf(await holder).at(-1)).toMatchObject({ exit_code: 1 });
  });
});
