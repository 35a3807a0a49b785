/** docs/reliability.md, scenarios 11 and 12: signals in each phase, and streams that nobody reads. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { type HeldCall, type HeldService, startHeldService } from '../support/held-service.ts';
import { CLI } from '../support/run-cli.ts';
import { everyNth } from '../sweep/stride.ts';
import {
  CONFIG,
  creates,
  FILE,
  finishMedium,
  ID,
  makeObjects,
  makeRequest,
  medium,
  POLL,
  success,
} from './held-answers.ts';
import { API_KEY, campaignFolder, PNG, SINGLE, untilTestEnds } from './small-campaign.ts';

const APPLY = ['apply', 'm.yaml'];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Brings a run to a point where it waits for the service; `after` is what the service does once it was told to stop. */
interface Phase {
  readonly name: string;
  readonly reach: (service: HeldService) => Promise<HeldCall>;
  readonly after?: (call: HeldCall) => void;
}

const TOKEN = { access_token: 'token-1', token_type: 'Bearer', expires_at: 3600 };
const isCreated = (answer: object) => (call: HeldCall) => call.respond(201, answer);

async function pastToken(service: HeldService): Promise<void> {
  (await service.next('POST /get_auth_token')).respond(200, success(TOKEN));
}

const PHASES: readonly Phase[] = [
  { name: 'waiting for a token', reach: (service) => service.next('POST /get_auth_token') },
  {
    name: 'uploading',
    reach: async (service) => {
      await pastToken(service);
      (await service.next('POST /concepts/')).respond(201, success({ id: ID.concept }));
      return service.next('POST /upload-media/');
    },
  },
  {
    name: 'creating a product',
    reach: async (service) => {
      await pastToken(service);
      (await service.next('POST /upload-media/')).respond(200, success('https://cdn.example.com/tote.png'));
      (await service.next('POST /concepts/')).respond(201, success({ id: ID.concept }));
      return service.next('POST /products/');
    },
    after: isCreated(success({ id: ID.product })),
  },
  {
    name: 'requesting posts',
    reach: async (service) => {
      await pastToken(service);
      await makeObjects(service);
      return service.next('POST /media-config/');
    },
    after: isCreated(CONFIG),
  },
  {
    name: 'polling',
    reach: async (service) => {
      await pastToken(service);
      await makeRequest(service);
      return service.next(POLL);
    },
  },
  {
    name: 'between two polls',
    reach: async (service) => {
      await pastToken(service);
      await makeRequest(service);
      const poll = await service.next(POLL);
      poll.respond(200, medium('processing', { estimated_duration: '600' }));
      return poll;
    },
  },
  {
    name: 'downloading',
    reach: async (service) => {
      await pastToken(service);
      await makeRequest(service);
      (await service.next(POLL)).respond(
        200,
        medium('success', { media_info: `${service.url}/files/1.png` }),
      );
      return service.next(FILE);
    },
  },
];

/** Answers whatever the next run still asks for. */
function answerAll(service: HeldService): void {
  const image = { media_info: `${service.url}/files/1.png` };
  const answers: readonly (readonly [string, (call: HeldCall) => void])[] = [
    ['POST /get_auth_token', (call) => call.respond(200, success(TOKEN))],
    ['POST /upload-media/', (call) => call.respond(200, success('https://cdn.example.com/tote.png'))],
    ['POST /concepts/', isCreated(success({ id: ID.concept }))],
    ['POST /products/', isCreated(success({ id: ID.product }))],
    ['POST /media-config/', isCreated(CONFIG)],
    [POLL, (call) => call.respond(200, medium('success', image))],
    [FILE, (call) => call.respondRaw(200, PNG, { 'content-type': 'image/png' })],
  ];
  const answer = async (route: string, respond: (call: HeldCall) => void): Promise<never> => {
    for (;;) respond(await service.next(route));
  };
  for (const [route, respond] of answers) void answer(route, respond);
}

async function heldCampaign() {
  const service = await untilTestEnds(startHeldService({ holdTokenRoute: true }));
  return { service, campaign: await campaignFolder(SINGLE, service) };
}

describe('a first signal', () => {
  const cells = SIGNALS.flatMap((signal) => PHASES.map((phase) => [signal, phase.name, phase] as const));

  // Every signal and every phase; all of their pairs in `npm run test:sweep`.
  it.each(everyNth(cells, 4))(
    '%s while %s: ends by it, and the next run finishes',
    async (signal, _, phase) => {
      const { service, campaign } = await heldCampaign();
      const run = campaign.start(APPLY);
      const call = await phase.reach(service);
      // What was answered before is taken in once the wait for the next poll is told.
      if (phase.name === 'between two polls') await run.seen(/media-config\/hero@1 requested/);
      run.process.kill(signal);
      await run.seen(/^ {2}! Stopping: /);
      phase.after?.(call);
      const end = await run.end;
      expect([end.code, end.signal]).toEqual([null, signal]);
      expect(end.stdout).toMatch(/\nApply stopped: /);

      answerAll(service);
      expect(await campaign.run(APPLY)).toMatchObject({ code: 0 });
      // Each once; product and concept in any order.
      expect(creates(service).sort()).toEqual(['POST /concepts/', 'POST /media-config/', 'POST /products/']);
      const { stdout } = await campaign.run(['history', 'm.yaml', '--json']);
      const codes = (JSON.parse(stdout) as { exit_code: number }[]).map(({ exit_code: code }) => code);
      expect(codes).toEqual([{ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal], 0]);
    },
  );
});

describe('a second signal', () => {
  it.each(SIGNALS)('%s ends within a second, though the service is silent', async (signal) => {
    const { service, campaign } = await heldCampaign();
    const run = campaign.start(APPLY);
    await pastToken(service);
    await makeObjects(service);
    await service.next('POST /media-config/');
    run.process.kill('SIGTERM');
    await run.seen(/^ {2}! Stopping: waiting for 1 create /);
    const told = performance.now();
    run.process.kill(signal);
    const end = await run.end;
    expect([end.code, end.signal]).toEqual([null, 'SIGTERM']);
    expect(performance.now() - told).toBeLessThan(1500);
    answerAll(service);
    expect(await campaign.run(APPLY)).toMatchObject({ code: 4 });
    expect(creates(service)).toHaveLength(3);
  });
});

describe('several manifests', () => {
  it('are all stopped by one signal', async () => {
    const { service, campaign } = await heldCampaign();
    await campaign.write('second.yaml', SINGLE.replace('name: small', 'name: second'));
    const run = campaign.start(['apply', 'm.yaml', 'second.yaml']);
    await service.next('POST /get_auth_token');
    run.process.kill('SIGINT');
    expect(await run.end).toMatchObject({ code: null, signal: 'SIGINT' });
    expect(service.seen).toEqual(['POST /get_auth_token']);
    expect(await campaign.files()).not.toContain('second.default.state.jsonl');
  });
});

describe('a stream that takes nothing (scenario 12)', () => {
  /** Runs `apply` through a shell, which can close streams. */
  async function applyWith(redirection: string) {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    const child = spawn('sh', ['-c', `"$0" "$@" ${redirection}`, process.execPath, CLI, ...APPLY], {
      cwd: campaign.folder,
      env: { PATH: process.env['PATH'], CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stderr, files: await campaign.files() };
  }

  const OUTPUT = join('out', 'small', 'default', 'hero', 'kitchen-image.png');

  it.each(['| head -n 1', '2>&1 | head -n 1', '>&-', '2>&-', '<&- >&- 2>&-'])(
    '%s: the run goes on',
    async (redirection) => {
      const { code, files } = await applyWith(redirection);
      expect(code).toBe(0);
      expect(files).toContain(OUTPUT);
    },
  );

  it('> /dev/full: the run goes on, and ends with 74', async () => {
    const { code, stderr, files } = await applyWith('> /dev/full');
    expect(code).toBe(74);
    expect(stderr).toContain(
      'error: Standard output cannot be written (the disk is full, ENOSPC) [output-cut]\n',
    );
    expect(files).toContain(OUTPUT);
  });

  it('that a reader leaves in the middle: the run goes on', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const run = campaign.start([...APPLY, '--json']);
    await run.seen(/"version"/);
    run.process.stdout?.destroy();
    run.process.stderr?.destroy();
    await makeRequest(service);
    await finishMedium(service);
    expect(await run.end).toMatchObject({ code: 0, signal: null });
  });
});
