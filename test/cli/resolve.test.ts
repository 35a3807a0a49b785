import { describe, expect, it } from 'vitest';
import { startHeldService, type HeldService } from '../support/held-service.ts';
import {
  CONFIG,
  creates,
  failure,
  FILE,
  finishMedium,
  ID,
  makeObjects,
  makeRequest,
  makeUpstream,
  medium,
  POLL,
  success,
} from './held-answers.ts';
import { type CampaignFolder, campaignFolder, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

const PRODUCT = 'product/tote';
const REQUEST = 'media-config/hero@1';

interface Case {
  readonly service: HeldService;
  readonly campaign: CampaignFolder;
}

async function heldCampaign(): Promise<Case> {
  const service = await untilTestEnds(startHeldService());
  return { service, campaign: await campaignFolder(SINGLE, service) };
}

/** A campaign whose product was sent without an answer. */
async function unknownProduct(): Promise<Case> {
  const { service, campaign } = await heldCampaign();
  const run = campaign.run(['apply', 'm.yaml']);
  await makeUpstream(service);
  (await service.next('POST /products/')).reset();
  expect(await run).toMatchObject({ code: 4 });
  return { service, campaign };
}

/** A campaign whose posts were requested without an answer. */
async function unknownRequest(): Promise<Case> {
  const { service, campaign } = await heldCampaign();
  const run = campaign.run(['apply', 'm.yaml']);
  await makeObjects(service);
  (await service.next('POST /media-config/')).reset();
  expect(await run).toMatchObject({ code: 4 });
  return { service, campaign };
}

function resolve({ campaign }: Case, ...args: readonly string[]) {
  return campaign.run(['resolve', 'm.yaml', ...args]);
}

/** Runs apply to its end, answering `expected` on the way. */
async function applies({ campaign }: Case, answering: () => Promise<unknown>): Promise<void> {
  const run = campaign.run(['apply', 'm.yaml']);
  await answering();
  expect(await run).toMatchObject({ code: 0 });
}

describe('an unknown product', () => {
  it('that exists (--id) is confirmed by the service, recorded and used', async () => {
    const given = await unknownProduct();
    const { service } = given;
    const decision = resolve(given, PRODUCT, '--id', ID.product);
    const url = 'https://cdn.example.com/kept.png';
    const read = await service.next(`GET /products/${ID.product}/`);
    read.respond(200, success({ id: ID.product, media_urls: [{ type: 'image', url }] }));
    expect(await decision).toEqual({
      code: 0,
      signal: null,
      stdout: '✓ product/tote is recorded as created.\n',
      stderr: '',
    });

    await applies(given, async () => {
      const request = await service.next('POST /media-config/');
      expect(JSON.parse(request.body)).toMatchObject({
        items: [{ assets: [{ type: 'product', product_id: ID.product, url }] }],
      });
      request.respond(201, CONFIG);
      await finishMedium(service);
    });
    // The product and the concept are sent at the same time.
    expect(creates(service).toSorted()).toEqual([
      'POST /concepts/',
      'POST /media-config/',
      'POST /products/',
    ]);
  });

  it('may have an id that is no UUID, as those in answers may', async () => {
    const given = await unknownProduct();
    const decision = resolve(given, PRODUCT, '--id', '4711');
    (await given.service.next('GET /products/4711/')).respond(200, success({ id: 4711, media_urls: [] }));
    expect(await decision).toMatchObject({ code: 0, stdout: '✓ product/tote is recorded as created.\n' });
  });

  it('under an id that the service does not know stays unknown', async () => {
    const given = await unknownProduct();
    const decision = resolve(given, PRODUCT, '--id', ID.product);
    (await given.service.next(`GET /products/${ID.product}/`)).respond(404, failure('Not found'));
    expect(await decision).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `error: The service does not confirm the id [id-not-found]
  ${ID.product}: GET /products/${ID.product}/: refused (404): Not found. Nothing was recorded.

`,
    });
    expect(await given.campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 4 });
  });

  it('that was not made (--not-created) is created by the next run', async () => {
    const given = await unknownProduct();
    const { service } = given;
    const { code, stdout } = await resolve(given, PRODUCT, '--not-created');
    expect([code, stdout]).toEqual([
      0,
      '✓ product/tote is recorded as not created: the next apply requests it.\n',
    ]);
    await applies(given, async () => {
      (await service.next('POST /products/')).respond(201, success({ id: ID.product }));
      (await service.next('POST /media-config/')).respond(201, CONFIG);
      await finishMedium(service);
    });
  });
});

describe('an id that cannot be meant', () => {
  it('is none, or is another node’s: nothing is asked and nothing recorded', async () => {
    const given = await unknownProduct();
    const asked = given.service.seen.length;
    const none = await resolve(given, PRODUCT, '--id', 'hello world');
    expect([none.code, none.stderr]).toEqual([
      64,
      'error: This cannot be its id [wrong-id]\n  --id hello world is none: the ids of the service have letters, digits, `-` and `_`, at most 128.\n\n',
    ]);
    const other = await resolve(given, PRODUCT, '--id', ID.concept);
    expect([other.code, other.stderr]).toEqual([
      64,
      `error: This cannot be its id [wrong-id]\n  --id ${ID.concept} is the id of concept/morning.\n\n`,
    ]);
    expect(given.service.seen.length).toBe(asked);
  });

  it('is a configuration of other posts', async () => {
    const given = await unknownRequest();
    const decision = resolve(given, REQUEST, '--id', ID.config);
    const other = success({ id: ID.config, items: [{ id: ID.item, post_type: 'video' }] });
    (await given.service.next(`GET /media-config/${ID.config}/`)).respond(200, other);
    const { code, stderr } = await decision;
    expect(code).toBe(1);
    expect(stderr).toContain('it holds video, and this request asked for image. Nothing was recorded.');
  });

  it.each([
    [PRODUCT, unknownProduct, `GET /products/${ID.product}/`, ID.product],
    [REQUEST, unknownRequest, `GET /media-config/${ID.config}/`, ID.config],
  ])('is not confirmed by an answer about another one: %s', async (address, given, asked, id) => {
    const made = await given();
    const decision = resolve(made, address, '--id', id);
    const items = [{ id: ID.item, post_type: 'image' }];
    (await made.service.next(asked)).respond(200, success({ id: ID.media, items }));
    const { code, stderr } = await decision;
    expect(code).toBe(1);
    expect(stderr).toContain(`${id}: the answer is about ${ID.media}. Nothing was recorded.`);
  });
});

describe('an unknown request', () => {
  it('that exists (--id) is read back: its posts are polled and fetched, nothing is requested', async () => {
    const given = await unknownRequest();
    const { service, campaign } = given;
    const decision = resolve(given, REQUEST, '--id', ID.config);
    (await service.next(`GET /media-config/${ID.config}/`)).respond(200, CONFIG);
    expect(await decision).toMatchObject({ code: 0, stderr: '' });
    await applies(given, () => finishMedium(service));
    expect(await campaign.files()).toContain('out/small/default/hero/kitchen-image.png');
    expect(creates(service).filter((request) => request === 'POST /media-config/')).toHaveLength(1);
  });

  it('that exists (--id) may hold its posts behind one that nobody asked for', async () => {
    const given = await unknownRequest();
    const decision = resolve(given, REQUEST, '--id', ID.config);
    const surplus = { id: '00000000-0000-4000-8000-00000000000a', post_type: 'video' };
    const items = [surplus, { id: ID.item, post_type: 'image' }];
    (await given.service.next(`GET /media-config/${ID.config}/`)).respond(
      200,
      success({ id: ID.config, items }),
    );
    expect(await decision).toMatchObject({ code: 0, stderr: '' });
    expect(await given.campaign.read(STATE)).toContain(`"kitchen":{"id":"${ID.item}"`);
  });

  it('that was not made (--not-created) is made by the next run, under a new number', async () => {
    const given = await unknownRequest();
    const { service, campaign } = given;
    expect(await resolve(given, REQUEST, '--not-created')).toMatchObject({ code: 0 });
    await applies(given, async () => {
      (await service.next('POST /media-config/')).respond(201, CONFIG);
      await finishMedium(service);
    });
    const { stdout } = await campaign.run(['state', 'list', 'm.yaml', '--json']);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ address: 'media-config/hero@2', status: 'done', id: ID.config }),
    );
  });

  it('that is given up (--skip) is not made again, until its posts change', async () => {
    const given = await unknownRequest();
    const { service, campaign } = given;
    const { code, stdout } = await resolve(given, REQUEST, '--skip', '--json');
    expect([code, stdout]).toEqual([0, `{"address":"${REQUEST}","decision":"skipped"}\n`]);
    const { length } = service.seen;
    const quiet = await campaign.run(['apply', 'm.yaml']);
    expect(quiet.stdout).toMatch(/\nNo changes\.\n$/);
    expect([quiet.code, service.seen.length]).toEqual([0, length]);

    await campaign.write('m.yaml', SINGLE.replace('4:5', '1:1'));
    await applies(given, async () => {
      (await service.next('POST /media-config/')).respond(201, CONFIG);
      await finishMedium(service);
    });
  });
});

describe('a failed post', () => {
  it('that is given up (--skip) no longer fails the run', async () => {
    const given = await heldCampaign();
    const { service, campaign } = given;
    const run = campaign.run(['apply', 'm.yaml']);
    await makeRequest(service);
    (await service.next(POLL)).respond(200, medium('rejected'));
    expect(await run).toMatchObject({ code: 1 });
    expect(await resolve(given, 'media/hero/kitchen', '--not-created')).toMatchObject({
      code: 64,
      stderr: `error: Nothing to resolve [nothing-to-resolve]
  media/hero/kitchen has failed: it can only be given up with --skip, or requested again.

`,
    });
    expect(await resolve(given, 'media/hero/kitchen', '--skip')).toMatchObject({
      code: 0,
      stdout: `✓ media/hero/kitchen@1 is given up: it is not requested again until it changes.
  It may have been made. \`campaign apply m.yaml --replace media/hero/kitchen\` requests it anew, and then it is made twice.
`,
    });
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  });
});

describe('a file that cannot be had', () => {
  it('is told as failed, and given up (--skip) it is not fetched any more', async () => {
    const given = await heldCampaign();
    const { service, campaign } = given;
    const run = campaign.run(['apply', 'm.yaml']);
    await makeRequest(service);
    const answer = medium('success', { media_info: `${service.url}/files/1.png` });
    for (let n = 0; n < 2; n += 1) {
      (await service.next(POLL)).respond(200, answer);
      (await service.next(FILE)).respondRaw(200, 'no picture', { 'content-type': 'image/png' });
    }
    expect(await run).toMatchObject({ code: 1 });
    const { stdout } = await campaign.run(['status', 'm.yaml']);
    expect(stdout.slice(stdout.indexOf('\n'))).toMatch(
      /^\n\n {2}✗ hero {2}0\/1 {2}1 failed\n\nerror: The file is no picture and no video \[download-failed\]\n/,
    );
    expect(stdout).toMatch(
      /\n {2}The post is generated, only its file is missing: the next run fetches it\.\n\n0 of 1 posts done, 1 failed\.\n\nNext:\n {2}campaign wait m\.yaml {2}polls and downloads 1 requested post; pays nothing\n$/,
    );
    expect(await resolve(given, 'download/hero/kitchen', '--skip')).toMatchObject({
      code: 0,
      stdout: '✓ download/hero/kitchen@1 is given up: no run fetches it any more.\n',
    });
    const { length } = service.seen;
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
    expect(service.seen).toHaveLength(length);
  });
});

describe('a decision that makes no sense', () => {
  it('ends with 64, and says why', async () => {
    const given = await unknownRequest();
    const before = await given.campaign.read(STATE);
    for (const [args, message] of [
      [['product/tote'], 'Say what became of it: --id UUID, --not-created or --skip, or let --find ask.'],
      [['--skip'], 'Name the node that the decision is about, or several by a glob, or say --all.'],
      [
        ['product/tote', '--skip', '--not-created'],
        "option '--not-created' cannot be used with option '--skip'",
      ],
      [
        ['product/tote', '--skip'],
        'product/tote is neither unknown, failed nor pending: there is nothing to decide.',
      ],
      [['product/cap', '--skip'], 'product/cap is not in the state. `campaign status` lists what is open.'],
      [['media/hero/kitchen', '--skip'], `media/hero/kitchen waits for its request: resolve ${REQUEST}.`],
    ] as const) {
      const { code, stdout, stderr } = await resolve(given, ...args);
      expect([code, stdout]).toEqual([64, '']);
      expect(stderr).toContain(message);
    }
    expect(await given.campaign.read(STATE)).toBe(before);
  });
});
